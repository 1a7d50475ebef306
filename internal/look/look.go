// Package look holds what every page looks like: colours, type and rules, as one
// style sheet. Pages link to it; a report that stands alone holds a copy.
package look

import _ "embed"

// Style is the style sheet. The colours are custom properties of :root; dark
// and light follow the system unless the root element says data-theme.
//
//go:embed look.css
var Style string

// Icon is the favicon, an SVG.
//
//go:embed icon.svg
var Icon string
