package httpapi

import "scorebook/contest"

// Route is a row of the table of routes, as the tests walk it.
type Route struct {
	Method, Path   string
	Admin          bool
	Request, Reply any
	Media          string
}

// Routes returns the table of routes.
func Routes() []Route {
	var all []Route
	for _, r := range routes {
		all = append(all, Route{r.method, r.path, r.access == adminOnly, r.request, r.reply, r.media})
	}
	return all
}

// StatusOf returns the status of a refusal by the rules.
func StatusOf(code contest.Code) (status int, ok bool) {
	status, ok = statuses[code]
	return status, ok
}
