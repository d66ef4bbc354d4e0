extension String {
    /// Whether this is a legal name of an entity or a property: it begins with a letter and consists of letters,
    /// digits and underscores.
    package var isElementIdentifier: Bool {
        guard let first = unicodeScalars.first, first.properties.isAlphabetic else { return false }
        return unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_"
        }
    }
}
