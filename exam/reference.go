package exam

import (
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/strict"
)

// Reference is a set of fixed outcomes that scores are relative to. It stays
// as it is while further models are evaluated; a changed one has a new id.
type Reference struct {
	File   string
	ID     string
	Floors Floors
	Tasks  []*Task // by name
	at     strict.Place
}

// Floors bounds the scale of an instance from below.
type Floors struct {
	Relative strict.Number // of the magnitude of mu; at least 0
	Absolute strict.Number // in the unit of the values; above 0
}

// Task is a solver task of a [Reference].
type Task struct {
	Name      string
	Kind      Kind
	Direction Direction
	Instances []Instance // the eligible ones, by name; at least one
	Unscored  []string   // names of instances that are not scored, sorted
	at        strict.Place
}

// Instance holds the fixed outcomes of one eligible instance.
type Instance struct {
	Name   string
	Values []strict.Number // at least two; of a solve task each is 0 or 1
	at     strict.Place
}

// Task returns the task of that name or nil.
func (r *Reference) Task(name string) *Task {
	i, ok := slices.BinarySearchFunc(r.Tasks, name, func(t *Task, name string) int { return strings.Compare(t.Name, name) })
	if !ok {
		return nil
	}
	return r.Tasks[i]
}

// FindTask is Task, and reports a name that the reference does not have.
func (r *Reference) FindTask(name string, diags *diag.List) *Task {
	if t := r.Task(name); t != nil {
		return t
	}
	names := make([]string, len(r.Tasks))
	for i, t := range r.Tasks {
		names[i] = t.Name
	}
	d := diag.At(r.at.In(r.File), CodeUnknownTask, "found no task %q in the reference %q", name, r.ID)
	if near, ok := strict.Nearest(name, names); ok {
		d = d.WithHint("did you mean %q?", near)
	} else {
		d = d.WithHint("it has: %s", shorten(names))
	}
	diags.Add(d)
	return nil
}

// Instance returns the eligible instance of that name or nil.
func (t *Task) Instance(name string) *Instance {
	i, ok := slices.BinarySearchFunc(t.Instances, name, func(i Instance, name string) int { return strings.Compare(i.Name, name) })
	if !ok {
		return nil
	}
	return &t.Instances[i]
}

// InstanceNames returns the names of the eligible instances.
func (t *Task) InstanceNames() []string {
	names := make([]string, len(t.Instances))
	for i := range t.Instances {
		names[i] = t.Instances[i].Name
	}
	return names
}

// ParseReference reads a reference. It reports every fault; the result is
// complete only if there was none.
func ParseReference(src *strict.Source, diags *diag.List) *Reference {
	p := referenceParser{ref: &Reference{File: src.File()}, diags: diags}
	j := strict.NewJSON(src, diags, CodeReferenceInvalid)
	floors := strict.NewShape("scale_floors",
		strict.Field{Name: "relative", Read: p.floor("relative", &p.ref.Floors.Relative, true)},
		strict.Field{Name: "absolute", Read: p.floor("absolute", &p.ref.Floors.Absolute, false)},
	)
	p.ref.at, _ = j.Object(strict.NewShape("reference",
		strict.Field{Name: "reference_id", Read: func(j *strict.JSON) { p.ref.ID = p.name(j, "reference_id") }},
		strict.Field{Name: "scale_floors", Read: func(j *strict.JSON) { j.Object(floors) }},
		strict.Field{Name: "tasks", Read: p.tasks},
	))
	j.End()
	slices.SortFunc(p.ref.Tasks, func(a, b *Task) int { return strings.Compare(a.Name, b.Name) })
	return p.ref
}

type referenceParser struct {
	ref   *Reference
	diags *diag.List
}

// name reads a name that must not be empty.
func (p *referenceParser) name(j *strict.JSON, what string) string {
	return readName(j, what, CodeReferenceInvalid)
}

func readName(j *strict.JSON, what string, code diag.Code) string {
	s, at, ok := j.String(what)
	if ok && s == "" {
		j.Fault(at, code, "%s: found an empty name", what)
	}
	return s
}

func (p *referenceParser) floor(what string, into *strict.Number, zero bool) func(*strict.JSON) {
	return func(j *strict.JSON) {
		n, at, ok := j.Number(CodeReferenceInvalid, what)
		if !ok {
			return
		}
		switch f := n.Float64(); {
		case f < 0:
			j.Fault(at, CodeReferenceInvalid, "%s: found %s, expected a floor that is not negative", what, n)
		case f == 0 && !zero:
			j.Fault(at, CodeReferenceInvalid, "%s: found %s, expected a floor above 0", what, n)
		}
		*into = n
	}
}

func (p *referenceParser) tasks(j *strict.JSON) {
	at := j.Here()
	_, ok := j.Map("tasks", func(name string, at strict.Place) {
		t := &Task{Name: name, at: at}
		p.ref.Tasks = append(p.ref.Tasks, t)
		p.task(j, t)
	})
	if ok && len(p.ref.Tasks) == 0 {
		j.Fault(at, CodeReferenceInvalid, "tasks: found none, expected at least one task")
	}
}

func (p *referenceParser) task(j *strict.JSON, t *Task) {
	if t.Name == "" {
		j.Fault(t.at, CodeReferenceInvalid, "tasks: found an empty name")
	}
	unscored := map[string]strict.Place{}
	at, ok := j.Object(strict.NewShape("task",
		strict.Field{Name: "kind", Read: func(j *strict.JSON) {
			t.Kind = oneOf(j, CodeReferenceInvalid, "kind", Objective, Solve)
		}},
		strict.Field{Name: "direction", Read: func(j *strict.JSON) {
			t.Direction = oneOf(j, CodeReferenceInvalid, "direction", Maximize, Minimize)
		}},
		strict.Field{Name: "instances", Read: func(j *strict.JSON) { p.instances(j, t) }},
		strict.Field{Name: "unscored_reference_instances", Optional: true, Read: func(j *strict.JSON) {
			j.Array("unscored_reference_instances", func(int) {
				name, at, ok := j.String("unscored_reference_instances")
				if !ok {
					return
				}
				if name == "" {
					j.Fault(at, CodeReferenceInvalid, "unscored_reference_instances: found an empty name")
				}
				if first, twice := unscored[name]; twice {
					p.diags.Add(diag.At(at.In(j.File()), CodeReferenceInvalid, "unscored_reference_instances: %q occurs twice", name).
						WithRelated(first.In(j.File()), "first here"))
					return
				}
				unscored[name] = at
				t.Unscored = append(t.Unscored, name)
			})
		}},
	))
	slices.Sort(t.Unscored)
	slices.SortFunc(t.Instances, func(a, b Instance) int { return strings.Compare(a.Name, b.Name) })
	if !ok {
		return
	}
	if t.Kind == Solve && t.Direction == Minimize {
		j.Fault(at, CodeReferenceInvalid, "task %q: found kind solve with direction minimize, expected maximize", t.Name)
	}
	for i := range t.Instances {
		in := &t.Instances[i]
		if u, both := unscored[in.Name]; both {
			p.diags.Add(diag.At(in.at.In(j.File()), CodeReferenceInvalid, "instance %q is scored and listed as unscored", in.Name).
				WithRelated(u.In(j.File()), "listed here"))
		}
		for _, v := range in.Values {
			if t.Kind == Solve && !isIndicator(v) {
				j.Fault(in.at, CodeReferenceInvalid, "instance %q: found the value %s, expected 0 or 1 in a solve task", in.Name, v)
				break
			}
		}
	}
}

func (p *referenceParser) instances(j *strict.JSON, t *Task) {
	at := j.Here()
	_, ok := j.Map("instances", func(name string, at strict.Place) {
		in := Instance{Name: name, at: at}
		values := make([]strict.Number, 0, 4)
		_, ok := j.Array("values", func(int) {
			if n, _, ok := j.Number(CodeReferenceInvalid, "value"); ok {
				values = append(values, n)
			}
		})
		in.Values = values
		t.Instances = append(t.Instances, in)
		if ok && len(values) < 2 {
			j.Fault(at, CodeReferenceInvalid, "instance %q: found usable values: %d, expected at least 2", name, len(values))
		}
		if name == "" {
			j.Fault(at, CodeReferenceInvalid, "instances: found an empty name")
		}
	})
	if ok && len(t.Instances) == 0 {
		j.Fault(at, CodeReferenceInvalid, "instances: found none, expected at least one eligible instance")
	}
}

// isIndicator reports whether a number is exactly 0 or 1.
func isIndicator(n strict.Number) bool {
	q := decimal(n)
	return q.IsInt() && q.Sign() >= 0 && q.Num().IsInt64() && q.Num().Int64() <= 1
}

// oneOf reads one of a few words.
func oneOf[T ~string](j *strict.JSON, code diag.Code, what string, words ...T) T {
	s, at, ok := j.Term(what)
	if ok && !slices.Contains(words, T(s)) {
		names := make([]string, len(words))
		for i, w := range words {
			names[i] = string(w)
		}
		j.Fault(at, code, "%s: found %q, expected %s", what, s, strings.Join(names, " or "))
	}
	return T(s)
}

// shorten lists the first few of many names.
func shorten(names []string) string {
	const few = 8
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + ", ..."
}
