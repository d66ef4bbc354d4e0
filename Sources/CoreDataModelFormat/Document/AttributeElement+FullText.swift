extension AttributeElement {
    /// The key in an attribute's user info that asks for a full-text index.
    ///
    /// User info is where a model can say what Apple's framework does not know: its editor writes it, its model files
    /// carry it, its compiler accepts it, and since it is no part of a version hash, a store with the index is one that
    /// Apple's framework opens with the same model.
    package static let fullTextIndexKey = "FullTextIndex"

    /// Whether the attribute asks for a full-text index: `YES`, `true` or 1 under that key.
    package var isFullTextIndexed: Bool {
        let entry = userInfo.first { $0.key == Self.fullTextIndexKey }
        return entry.map { Self.isFullTextIndex($0.value) } ?? false
    }

    package static func isFullTextIndex(_ value: String) -> Bool {
        ["yes", "true", "1"].contains(value.lowercased())
    }
}
