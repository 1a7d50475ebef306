package webui

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed locales
var locales embed.FS

//go:embed templates
var templates embed.FS

// catalogue holds the messages by language and key. Arguments are numbered as
// package fmt has it, since languages order them differently. A key that ends in
// ".one" is for the number 1.
var catalogue = loadCatalogue()

func loadCatalogue() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, lang := range languages {
		text, err := fs.ReadFile(locales, path.Join("locales", lang+".json"))
		if err != nil {
			panic(err) // it is embedded
		}
		messages := map[string]string{}
		if err := json.Unmarshal(text, &messages); err != nil {
			panic("locales/" + lang + ".json: " + err.Error())
		}
		all[lang] = messages
	}
	return all
}

// say returns a message in a language. A key without a message is shown itself;
// a test sees to it that there is none.
func say(lang, key string, args ...any) string {
	text, ok := catalogue[lang][key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// count returns a message about a number of things. The number may stand
// elsewhere, and not in the message.
func count(lang, key string, n int) string {
	if _, ok := catalogue[lang][key+".one"]; ok && n == 1 {
		key += ".one"
	}
	if !strings.Contains(catalogue[lang][key], "%") {
		return say(lang, key)
	}
	return say(lang, key, n)
}

// pages holds the templates by language.
var pages = loadPages()

func loadPages() map[string]*template.Template {
	all := map[string]*template.Template{}
	for _, lang := range languages {
		functions := template.FuncMap{
			"t":     func(key string, args ...any) string { return say(lang, key, args...) },
			"n":     func(key string, n int) string { return count(lang, key, n) },
			"asset": assetPath,
			"args":  arguments,
		}
		all[lang] = template.Must(template.New("").Funcs(functions).ParseFS(templates, "templates/*.html"))
	}
	return all
}

// arguments names what a template hands to another one.
func arguments(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("found %d arguments, expected names and values", len(pairs))
	}
	named := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("argument %d: found %T, expected a name", i, pairs[i])
		}
		named[name] = pairs[i+1]
	}
	return named, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
