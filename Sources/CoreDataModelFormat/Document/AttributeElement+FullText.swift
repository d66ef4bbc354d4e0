extension AttributeElement {
    /// The key in an attribute's user info that requests a full-text index.
    ///
    /// User info can contain settings that Apple's framework does not know: Apple's editor writes it, model
    /// files contain it, and Apple's compiler accepts it. Since it is not part of a version hash, Apple's
    /// framework opens a store that has such an index, with the same model.
    package static let fullTextIndexKey = "FullTextIndex"

    /// Whether the attribute requests a full-text index: its user info has `YES`, `true` or 1 under that key.
    package var isFullTextIndexed: Bool {
        let entry = userInfo.first { $0.key == Self.fullTextIndexKey }
        return entry.map { Self.isFullTextIndex($0.value) } ?? false
    }

    package static func isFullTextIndex(_ value: String) -> Bool {
        ["yes", "true", "1"].contains(value.lowercased())
    }
}
