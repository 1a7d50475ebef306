// Package diag describes what is wrong with a user's input as values.
//
// A [Diagnostic] names a stable [Code], says where the fault is, what was
// found, what was expected and what to do about it. A [List] collects them, so
// that one run reports every fault of an input. Nothing in this package prints
// or exits: [List.Text] and [List.JSON] only render.
//
// The rules of speech for messages and hints: lower case, no full stop, what
// was found is quoted with %q, what was expected is named. The hint says what
// to do and is left out where the message already does.
package diag
