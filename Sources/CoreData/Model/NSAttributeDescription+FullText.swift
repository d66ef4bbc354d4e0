import CoreDataModelFormat

extension NSAttributeDescription {
    /// Whether words in this attribute can be searched for: `NSPredicate(format: "title matchesFullText: %@",
    /// "words")`.
    ///
    /// This is the entry `FullTextIndex` in `userInfo`, which can also be set in Xcode's model editor, and in
    /// code that has to compile on Apple's systems. It is for string attributes that are stored. A SQLite
    /// store keeps an index of the attribute's words; it is made, and filled, when a store without it is
    /// opened, and dropped when the model no longer asks for it. Every other store tests each object. The
    /// setting is not part of the version hashes.
    ///
    /// Unlike Apple's: an addition. Apple's framework has no search by words, and neither makes nor uses the
    /// index.
    public final var isFullTextIndexed: Bool {
        get {
            userInfo?[AttributeElement.fullTextIndexKey].map { AttributeElement.isFullTextIndex("\($0)") }
                ?? false
        }
        set {
            requireMutable()
            var entries = userInfo ?? [:]
            entries[AttributeElement.fullTextIndexKey] = newValue ? "YES" : nil
            userInfo = entries
        }
    }
}
