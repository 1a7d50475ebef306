// Package strict turns bytes into values without guessing.
//
// [JSON] and [CSV] read from a [Source], which counts lines and bounds the
// size. They report every fault with its position into a [diag.List] and read
// on where the grammar allows it. They never default, coerce or drop a value:
// what is not exactly as expected is a fault. Both stream, so memory does not
// depend on the size of the input but on what the caller keeps.
//
// [ReadTree] reads what a person wrote, YAML or JSON, as a whole: a tree of
// [Node] whose values are read by what the format wants from them.
//
// A reader's methods report a fault and return false; a failure of the
// underlying io.Reader is not a fault of the input and is found in
// [Source.Err].
package strict
