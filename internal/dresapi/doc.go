// Package dresapi serves clients that speak the REST interface of DRES, version
// 2, and the submit of version 1: the same contest, judged on the same way.
//
// The interface is described by what such clients send and need back
// (https://github.com/dres-dev/DRES, read at 7fbe29f, version 2.0.4). Replies
// have the keys that DRES has and no others, since generated clients refuse what
// they do not know; what else there is to say stands in headers.
package dresapi
