package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"

	"scorebook/internal/look"
	"scorebook/internal/report"
)

//go:embed static
var static embed.FS

// asset is a style sheet or a script. Its address holds a hash of all of them,
// so it may be kept for good.
type asset struct {
	mediaType    string
	body, zipped []byte
}

var assets, assetsVersion = loadAssets()

func loadAssets() (map[string]asset, string) {
	bodies := map[string][]byte{"look.css": []byte(look.Style), "report.css": []byte(report.Style)}
	entries, err := fs.ReadDir(static, "static")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, entry := range entries {
		body, err := fs.ReadFile(static, path.Join("static", entry.Name()))
		if err != nil {
			panic(err)
		}
		bodies[entry.Name()] = body
	}
	all, hash := map[string]asset{}, sha256.New()
	for _, name := range sortedKeys(bodies) {
		body := bodies[name]
		hash.Write([]byte(name))
		hash.Write(body)
		mediaType := "text/css; charset=utf-8"
		if path.Ext(name) == ".js" {
			mediaType = "text/javascript; charset=utf-8"
		}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
		_, _ = z.Write(body)                                  // a buffer takes everything
		_ = z.Close()
		all[name] = asset{mediaType, body, b.Bytes()}
	}
	return all, hex.EncodeToString(hash.Sum(nil))[:12]
}

// assetPath returns the address of a style sheet or a script.
func assetPath(name string) string { return "/static/" + assetsVersion + "/" + name }

func serveAsset(w http.ResponseWriter, r *http.Request) {
	v := &visit{w: w, r: r}
	found, ok := assets[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Vary", "Accept-Encoding")
	w.Header().Set("Cache-Control", "no-cache")
	if r.PathValue("version") == assetsVersion {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if v.gzips() {
		_ = v.sendZipped(http.StatusOK, found.mediaType, found.zipped)
		return
	}
	_ = v.write(http.StatusOK, found.mediaType, found.body)
}

func serveIcon(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_ = (&visit{w: w, r: r}).write(http.StatusOK, "image/svg+xml", []byte(look.Icon))
}
