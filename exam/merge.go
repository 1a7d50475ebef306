package exam

import (
	"slices"
	"strings"

	"scorebook/diag"
)

// MergeReferences makes one reference of the tasks of several. It reports tasks
// that two of them have, and floors that differ, since those hold for all tasks.
func MergeReferences(id string, parts []*Reference, diags *diag.List) *Reference {
	merged := &Reference{ID: id, Floors: parts[0].Floors}
	from := map[string]*Reference{}
	for _, part := range parts {
		if decimal(part.Floors.Relative).Cmp(decimal(merged.Floors.Relative)) != 0 || decimal(part.Floors.Absolute).Cmp(decimal(merged.Floors.Absolute)) != 0 {
			diags.Add(diag.At(part.at.In(part.File), CodeMerge, "found the floors %s and %s, but those of the first reference are %s and %s",
				part.Floors.Relative, part.Floors.Absolute, merged.Floors.Relative, merged.Floors.Absolute).
				WithRelated(parts[0].at.In(parts[0].File), "the first reference"))
		}
		for _, t := range part.Tasks {
			if other := from[t.Name]; other != nil {
				diags.Add(diag.At(t.at.In(part.File), CodeMerge, "the task %q is in two references", t.Name).
					WithRelated(other.Task(t.Name).at.In(other.File), "first here"))
				continue
			}
			from[t.Name] = part
			merged.Tasks = append(merged.Tasks, t)
		}
	}
	slices.SortFunc(merged.Tasks, func(a, b *Task) int { return strings.Compare(a.Name, b.Name) })
	return merged
}
