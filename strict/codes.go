package strict

import "scorebook/diag"

// Codes of faults in the form of a file, whatever it holds.
var (
	CodeTooLarge = diag.Define("input/too-large", diag.Error,
		"the file is larger than the bound on inputs",
		"raise the bound with --max-bytes if the file is what you meant to give")
	CodeSyntax = diag.Define("json/syntax", diag.Error,
		"the file is not JSON as RFC 8259 defines it",
		"mend the text at the position; a file cut off while it was written shows as an unexpected end")
	CodeNotANumber = diag.Define("json/not-a-number", diag.Error,
		"NaN or an infinity stands where JSON knows only finite numbers",
		"leave the value out, or give the record the status that says why it has none")
	CodeDuplicateKey = diag.Define("json/duplicate-key", diag.Error,
		"an object has the same name twice",
		"keep the one that is meant; readers disagree about which of two counts")
	CodeUnknownKey = diag.Define("json/unknown-key", diag.Error,
		"an object has a name that the format does not know",
		"correct the spelling to the name suggested, or remove it")
	CodeKeyCase = diag.Define("json/key-case", diag.Error,
		"a name differs from a known one only by its case",
		"write the name exactly as the format has it: a is not A")
	CodeNumberRange = diag.Define("json/number-range", diag.Error,
		"a number cannot be held by a float64, or is written with more than 2048 characters",
		"give a finite value between 5e-324 and 1.8e308 in magnitude, or 0")
	CodeCSVSyntax = diag.Define("csv/syntax", diag.Error,
		"a row breaks the rules of RFC 4180: its quotes, its line end or its number of fields",
		"write the file with a CSV library, and end lines with LF or CRLF")
	CodeCSVHeader = diag.Define("csv/header", diag.Error,
		"the first row lacks a required column or has one twice",
		"name every required column exactly once; the order is free and further columns are ignored")
	CodeCSVWhitespace = diag.Define("csv/whitespace", diag.Error,
		"a field begins or ends with white space",
		"remove the blanks: a value with a blank is another value")
	CodeCSVEncoding = diag.Define("csv/encoding", diag.Error,
		"a field is not UTF-8",
		"save the file as UTF-8")
)
