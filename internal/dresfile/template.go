// Package dresfile reads and writes the files of DRES, the Distributed Retrieval
// Evaluation Server: it makes a contest of an evaluation template, and writes a
// contest as DRES downloads a run. The shapes are those of DRES 2.0.4
// (https://github.com/dres-dev/DRES, doc/oas.json); what a fork for the AI
// Challenge of Ho Chi Minh City adds for QA and TRAKE is read, too.
package dresfile

// template is an evaluation template: what is played, and by whom.
type template struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description *string     `json:"description"`
	Created     *int64      `json:"created"`  // milliseconds since 1970
	Modified    *int64      `json:"modified"` // likewise
	TaskTypes   []taskType  `json:"taskTypes"`
	TaskGroups  []taskGroup `json:"taskGroups"`
	Tasks       []task      `json:"tasks"`
	Teams       []team      `json:"teams"`
	TeamGroups  []teamGroup `json:"teamGroups"`
	Judges      []string    `json:"judges"`
	Viewers     []string    `json:"viewers"`
}

type taskType struct {
	Name              string            `json:"name"`
	Duration          int64             `json:"duration"` // seconds
	TargetOption      string            `json:"targetOption"`
	HintOptions       []string          `json:"hintOptions"`
	SubmissionOptions []string          `json:"submissionOptions"`
	TaskOptions       []string          `json:"taskOptions"`
	ScoreOption       string            `json:"scoreOption"`
	Configuration     map[string]string `json:"configuration"`
}

type taskGroup struct {
	ID   *string `json:"id"`
	Name string  `json:"name"`
	Type string  `json:"type"`
}

type task struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Group      string   `json:"taskGroup"`
	Type       string   `json:"taskType"`
	Duration   int64    `json:"duration"` // seconds
	Collection string   `json:"collectionId"`
	Targets    []target `json:"targets"`
	Hints      []hint   `json:"hints"`
	Comment    *string  `json:"comment"`
}

// target is what is right. The target is the id of the item, or a text.
type target struct {
	Type   string     `json:"type"`
	Target *string    `json:"target"`
	Range  *span      `json:"range"`
	Item   *mediaItem `json:"item"`
}

// The types of targets.
const (
	targetItem   = "MEDIA_ITEM"
	targetRange  = "MEDIA_ITEM_TEMPORAL_RANGE"
	targetText   = "TEXT"
	targetAnswer = "TEXT_MEDIA_ITEM_TEMPORAL_RANGE" // of the fork: a text about a range
)

// optionTRAKE is the target option of the fork whose targets are events, in order.
const optionTRAKE = "TRAKE"

type span struct {
	Start point `json:"start"`
	End   point `json:"end"`
}

type point struct {
	Value string `json:"value"`
	Unit  string `json:"unit"`
}

const (
	typeVideo        = "VIDEO"
	unitMilliseconds = "MILLISECONDS"
)

type mediaItem struct {
	ID         string   `json:"mediaItemId"`
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Collection string   `json:"collectionId"`
	Location   string   `json:"location"`
	Duration   *int64   `json:"durationMs"`
	FPS        *float64 `json:"fps"`
	Metadata   []any    `json:"metadata"`
}

type hint struct {
	Type        string  `json:"type"`
	Description *string `json:"description"`
}

type team struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Color string  `json:"color"`
	Users []user  `json:"users"`
	Logo  *string `json:"logoData"`
}

type user struct {
	ID       string  `json:"id"`
	Username string  `json:"username"`
	Role     string  `json:"role"`
	Session  *string `json:"sessionId"`
}

type teamGroup struct {
	Name string `json:"name"`
}
