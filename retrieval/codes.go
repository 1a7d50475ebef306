package retrieval

import "scorebook/diag"

// Codes of faults in rules.
var (
	CodeRules = diag.Define("rules/invalid", diag.Error,
		"a parameter of a ruleset is not as the format has it, or does not fit the others",
		"compare it with the table in docs/rules.md; leave a parameter out to have the default")
	CodeRulesUnused = diag.Define("rules/unused", diag.Warning,
		"a parameter plays no part in the mode of the ruleset",
		"remove it, or change the mode")
)

// Codes of faults in a table of ground truth.
var (
	CodeGroundTruthID = diag.Define("groundtruth/id", diag.Error,
		"a question has no id, or one that cannot be told or sent",
		"number the questions, or name them with 1 to 64 visible characters without blanks")
	CodeGroundTruthDuplicate = diag.Define("groundtruth/duplicate", diag.Error,
		"two questions have the same id",
		"give every question an id of its own")
	CodeGroundTruthType = diag.Define("groundtruth/type", diag.Error,
		"a question is of a type that is not known",
		"write KIS, QA or TR")
	CodeGroundTruthVideo = diag.Define("groundtruth/video", diag.Error,
		"a question has no video",
		"name the video as teams name it in their answers")
	CodeGroundTruthPoints = diag.Define("groundtruth/points", diag.Error,
		"the points of a question are not pairs of a start and an end",
		"write whole numbers separated by commas or hyphens, a start and an end for every event; milliseconds, for TR frames; or * where only the video is asked for, in KIS and QA")
	CodeGroundTruthFigure = diag.Define("groundtruth/figure", diag.Error,
		"the frames a second or the time limit of a question is no number that they can be",
		"write a number such as 25 or 29.97, or leave the field empty for that of the rules")
	CodeGroundTruthAnswer = diag.Define("groundtruth/answer", diag.Error,
		"a question that is not QA has an answer, or an accepted answer is empty",
		"leave the answer of KIS and TR empty, and separate the accepted answers of QA by |")
	CodeGroundTruthNoAnswer = diag.Define("groundtruth/no-answer", diag.Warning,
		"a QA question has no answer, so only the moment counts and any text is taken",
		"give the accepted answers, separated by |, unless this is meant")
	CodeGroundTruthOrder = diag.Define("groundtruth/order", diag.Warning,
		"the events of a question do not ascend",
		"check the points: in decay mode values are matched with events in this order")
	CodeGroundTruthEmpty = diag.Define("groundtruth/empty", diag.Error,
		"the table has no question",
		"give at least one row below the header")
)
