package retrieval_test

import (
	"testing"

	"scorebook/retrieval"
)

func TestMediaResolve(t *testing.T) {
	media := retrieval.NewMedia([]retrieval.Question{
		{Scene: "K14", Video: "V026"},
		{Scene: "K15", Video: "V026"},
		{Video: "L01_V001"},
		{Video: "day1/cam.mp4"},
		{Video: "day2/cam.mp4"},
		{Scene: "a-b", Video: "c_d"},
		{Video: "x"},
		{Video: "X"},
	})
	for _, test := range []struct{ name, scene, video string }{
		{"K14_V026", "K14", "V026"},
		{"k15-v026", "K15", "V026"},
		{"V026", "", "V026"},
		{"v026.MP4", "", "V026"},
		{" videos/K14_V026.mp4 ", "K14", "V026"},
		{`c:\videos\K14_V026.mp4`, "K14", "V026"},
		{"K99_V026", "K99", "V026"},          // a pair that is not known
		{"L01_V001", "", "L01_V001"},         // the contest has no scene of it
		{"day1/cam.mp4", "", "day1/cam.mp4"}, // known with folder and extension
		{"day2/cam", "", "day2/cam.mp4"},
		{"day3/cam", "", "day1/cam.mp4"}, // no such folder: the file alone
		{"A_B-C_D", "a-b", "c_d"},
		{"x", "", "x"}, // as spelled, before another case
		{"X", "", "X"},
		{"L99-V999.webm", "L99", "V999"},
		{"a_b_c", "", "a_b_c"},
		{"V1.5", "", "V1.5"}, // no extension of a video
		{"", "", ""},
		{" .mp4", "", ""},
		{"videos/", "", ""},
	} {
		if scene, video := media.Resolve(test.name); scene != test.scene || video != test.video {
			t.Errorf("%q: got %q and %q, want %q and %q", test.name, scene, video, test.scene, test.video)
		}
	}
}
