package exam

import "scorebook/diag"

// Codes of faults in what a file says, and between files.
var (
	CodeSuiteInvalid = diag.Define("suite/invalid", diag.Error,
		"a suite manifest lacks a part, or a part of it is not as the format has it",
		"compare it with the manifest in docs/formats.md")
	CodeSuiteReference = diag.Define("suite/reference", diag.Error,
		"a suite manifest and a reference of the same name do not fit each other",
		"give the manifest and the reference of one release; the ids must be equal and every solver task must be in the reference")

	CodeReferenceInvalid = diag.Define("reference/invalid", diag.Error,
		"a reference lacks a part, or a part of it cannot serve as a scale",
		"give kind, direction, both scale floors and at least two values for every scored instance")
	CodeUnknownTask = diag.Define("reference/unknown-task", diag.Error,
		"the reference has no task of that name",
		"give one of the names that the reference has, or the reference that has the task")
	CodeUnknownEligible = diag.Define("reference/unknown-instance", diag.Error,
		"the task has no eligible instance of that name",
		"give the name of a scored instance; unscored ones have no arithmetic to explain")

	CodeRecordsShape = diag.Define("records/shape", diag.Error,
		"the records are not a list of objects with an instance and a status",
		"write a JSON list of objects like {\"instance\": \"a\", \"status\": \"ok\", \"A\": 12}")
	CodeRecordsValue = diag.Define("records/value", diag.Error,
		"an outcome cannot be used: it is missing, doubled, quoted, out of range or of the wrong kind for the task",
		"give A as a number (objective tasks), or solved as true or false (solve tasks), never both")
	CodeUnknownStatus = diag.Define("records/unknown-status", diag.Error,
		"a status is in no list, so it is not known whether it scores 0",
		"use ok, or the failure that happened: "+knownFailures)
	CodeInfrastructureStatus = diag.Define("records/infrastructure-status", diag.Error,
		"a status says that the judging failed, not the solver",
		"repair the judging and give the final record; such an outcome never scores 0")
	CodeMissingInstance = diag.Define("records/missing-instance", diag.Error,
		"an eligible instance of the reference has no record",
		"give its record; a solver that failed has one too, with the status of the failure")
	CodeDuplicateInstance = diag.Define("records/duplicate-instance", diag.Error,
		"two records have the same instance",
		"keep the final one, even if both agree")
	CodeUnknownInstance = diag.Define("records/unknown-instance", diag.Warning,
		"a record's instance is unknown to the reference, so it is left out of the mean",
		"check the spelling, and that the records belong to this task")
	CodeUnsolvedOK = diag.Define("records/unsolved-ok", diag.Warning,
		"a solve record has status ok and is not solved: it counts as the value 0, not as a failure",
		"use timeout or another failure if the solver did not finish: that scores 0")
	CodeZRange = diag.Define("records/z-range", diag.Warning,
		"a z-score is beyond the range of a float64 and is left out of the output; the score stands",
		"check the value and the floors of the scale")

	CodeAttemptsModel = diag.Define("attempts/unknown-model", diag.Error,
		"a row's model is not in the cohort",
		"add the model to the cohort, or correct its name")
	CodeAttemptsTrack = diag.Define("attempts/unknown-track", diag.Error,
		"a row's track is not one of the four",
		"use theorem, solver, construction or open")
	CodeAttemptsItem = diag.Define("attempts/unknown-item", diag.Error,
		"a row's item is not a task of its track in the suite",
		"correct the name; spreadsheets turn some names into dates")
	CodeAttemptsValue = diag.Define("attempts/unknown-value", diag.Error,
		"a field holds a value that is not in its list",
		"use one of the values listed in docs/formats.md")
	CodeAttemptsDuplicate = diag.Define("attempts/duplicate", diag.Error,
		"two rows have the same model, track, item and attempt",
		"remove one, or give the attempts names of their own")
	CodeAttemptsExcess = diag.Define("attempts/excess-repetitions", diag.Error,
		"a task has more adopted rows than the cohort plans",
		"mark the rows that do not count as excluded, or plan more attempts_per_task")
	CodeAttemptsScoreType = diag.Define("attempts/score-type", diag.Error,
		"an adopted row has the score type of another track",
		"use fixed_reference_relative for solver rows and original_task_score for the others")
	CodeAttemptsScoreValue = diag.Define("attempts/score-value", diag.Error,
		"the score of a valid row is not a decimal number",
		"write digits with a decimal point, such as 0.25; give a row without a score the score_status that says why")
	CodeAttemptsScoreRange = diag.Define("attempts/score-range", diag.Error,
		"the score of a valid row is outside the range of its track",
		"theorem and open are 0 or 1, solver lies from 0 to 1, construction is not negative")
	CodeAttemptsProtocol = diag.Define("attempts/protocol", diag.Error,
		"an adopted solver row has another protocol than the cohort",
		"aggregate online and offline runs separately")

	CodeCohortInvalid = diag.Define("cohort/invalid", diag.Error,
		"a cohort lacks a part, or a part of it is not as the format has it",
		"compare it with the cohort in docs/formats.md")
	CodeCohortSuite = diag.Define("cohort/suite", diag.Error,
		"the suite asked for, the manifest and the cohort do not name the same suite",
		"give the manifest and the cohort of one suite; suites are reported separately")
	CodeCohortReference = diag.Define("cohort/reference", diag.Error,
		"the cohort was scored against another reference than the suite's",
		"score the records again with the suite's reference, or load the suite that the cohort names")

	CodeEvidenceMissing = diag.Define("evidence/missing", diag.Error,
		"an adopted solver row has no solver-score output that backs it",
		"put the output of solver-score for that attempt into the evidence folder")
	CodeEvidenceMismatch = diag.Define("evidence/mismatch", diag.Error,
		"a solver-score output and an adopted solver row contradict each other",
		"compute the score again and write its relative_score into the row unchanged")

	CodeOutputInvalid = diag.Define("output/invalid", diag.Error,
		"a file looks like an output of this program, but is not one",
		"compute it again; outputs are not meant to be edited")
	CodeUnrecognised = diag.Define("check/unrecognised", diag.Error,
		"a file is none of the formats that this program reads or writes",
		"see docs/formats.md for what tells them apart")
	CodeNotAResult = diag.Define("report/not-a-result", diag.Error,
		"a file is of another format than the results that a report shows",
		"give the files that score and solver-score wrote with --output; check says what a file is")
	CodeUnfit = diag.Define("check/unfit", diag.Error,
		"two files given together do not belong together",
		"check one set of files at a time")

	CodeMerge = diag.Define("merge/conflict", diag.Error,
		"references that are to become one have the same task or other floors",
		"rename a task, or make the references with the same floors: they hold for all tasks of a reference")

	CodeRunsColumn = diag.Define("runs/column", diag.Error,
		"a table of runs lacks what a row needs: an instance, a run or a status",
		"name the columns with --instance-column, --status-column, --value-column and --by")
	CodeRunsStatus = diag.Define("runs/unmapped-status", diag.Error,
		"a status of the table is not one of the format's and is not mapped to one",
		"say what it means with --map STATUS=ok or --map STATUS=timeout; it is never guessed")
	CodeRunsValue = diag.Define("runs/value", diag.Error,
		"a run that counts as ok has no usable value",
		"correct the value, or say which failure it stands for with --map-value VALUE=FAILURE")
	CodeRunsUnused = diag.Define("runs/unused-mapping", diag.Warning,
		"a mapping of a status or value matches no row",
		"check its spelling against the table; what was meant to be mapped is taken as it stands")
	CodeRunsMissing = diag.Define("runs/missing-row", diag.Warning,
		"a run has no row for some of the instances, which is neither an outcome nor a failure",
		"give the row with the status of the failure, if the run failed there")
	CodeRunsDuplicate = diag.Define("runs/duplicate", diag.Error,
		"a run has the same instance twice",
		"keep one row for each run and instance, or name the column that tells the runs apart with --by")
	CodeRunsSelection = diag.Define("runs/selection", diag.Error,
		"the runs that are named are not in the table, or what is there does not make a reference",
		"name runs as the --by column has them, and give at least two with a value for an instance")
)
