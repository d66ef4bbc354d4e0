/// A part of a model that two sides changed in different ways, which is as in ours in the merged model; or an
/// error that the changes of both sides make together.
package struct MergeConflict: Sendable, Hashable {
    /// The path of the element in ours, such as `Book.title`; empty for the whole model.
    package var path: String
    /// The setting of the element; nil for the element as a whole.
    package var setting: String?
    /// The value or state on each side, in words; nil if there is none.
    package var base: String?
    package var ours: String?
    package var theirs: String?

    package init(path: String, setting: String?, base: String?, ours: String?, theirs: String?) {
        (self.path, self.setting) = (path, setting)
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }

    /// The conflict in one line: `Book.title: optional: ours YES, theirs none, before NO`.
    package var text: String {
        let place = [path.isEmpty ? "the model" : path, setting].compactMap { $0 }.joined(separator: ": ")
        if base == nil, ours == nil, theirs == nil { return "\(place), which is so on neither side" }
        let values = [("ours", ours), ("theirs", theirs), ("before", base)]
        return place + ": " + values.map { "\($0) \($1 ?? "none")" }.joined(separator: ", ")
    }
}
