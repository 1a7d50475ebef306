package testkit_test

import (
	"testing"

	"scorebook/internal/testkit"
)

func TestInside(t *testing.T) {
	const text = "\ufeffab\n\nc"
	for position, want := range map[[2]int]bool{
		{0, 0}: true, {1, 1}: true, {1, 2}: true, {1, 3}: true, {1, 4}: true, {2, 1}: true, {3, 1}: true, {3, 2}: true,
		{0, 1}: false, {1, 0}: false, {1, 5}: false, {2, 3}: false, {3, 3}: false, {4, 1}: false, {-1, 1}: false,
	} {
		if got := testkit.Inside(text, position[0], position[1]); got != want {
			t.Errorf("Inside(%v) is %v, want %v", position, got, want)
		}
	}
}
