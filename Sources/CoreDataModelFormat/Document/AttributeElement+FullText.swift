extension AttributeElement {
    /// The key in an attribute's user info that asks for a full-text index.
    ///
    /// User info is the place for settings that Apple's framework does not know: Apple's editor writes it,
    /// model files carry it and Apple's compiler accepts it. Since it is no part of a version hash, Apple's
    /// framework opens a store with such an index with the same model.
    package static let fullTextIndexKey = "FullTextIndex"

    /// Whether the attribute asks for a full-text index, by `YES`, `true` or 1 under that key.
    package var isFullTextIndexed: Bool {
        let entry = userInfo.first { $0.key == Self.fullTextIndexKey }
        return entry.map { Self.isFullTextIndex($0.value) } ?? false
    }

    package static func isFullTextIndex(_ value: String) -> Bool {
        ["yes", "true", "1"].contains(value.lowercased())
    }
}
