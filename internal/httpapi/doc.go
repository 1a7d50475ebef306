// Package httpapi is the native HTTP interface of a contest: JSON, an event
// stream, metrics, and the OpenAPI document that describes them.
//
// One table, routes, holds every route with who may use it and what it takes
// and gives. The router, the document and the tests are made from it. A handler
// reads the request, asks the service, and returns what to reply or an error;
// what the rules decide is decided elsewhere.
//
// Nothing that a team can reach shows ground truth before the organiser has
// revealed it.
package httpapi
