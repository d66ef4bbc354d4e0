/// SQL functions and collations the queries call and a SQLite driver registers. All functions but `now` are
/// deterministic, answer NULL when a string argument is NULL and read numbers as their text.
package enum SQLFunctionNames {
    /// `(kind, haystack, needle, options)` -> 1, 0 or NULL. `kind` is a `StringMatch`, `options` the raw value of
    /// `ComparisonOptions`: 1 case, 2 diacritic insensitive, 4 normalized, 8 locale sensitive.
    package static let stringSearch = "NSCoreDataStringSearch"
    /// `(left, right, options)` -> -1, 0, 1 or NULL; options as above.
    package static let stringCompare = "NSCoreDataStringCompare"
    /// `(text)` -> text, by Unicode's full mappings.
    package static let lowercase = "NSCoreDataLowercase"
    package static let uppercase = "NSCoreDataUppercase"
    /// `(text)` -> text without case and diacritics.
    package static let canonical = "NSCoreDataCanonical"
    /// `(bytes)` -> the bytes that a column of an attribute with external storage stands for, read from their file
    /// where they lie in one; NULL if it is gone (sqlite-store §6).
    package static let contents = "NSCoreDataContents"
    /// `(text)` -> its length as `NSString` counts it, in UTF-16 units.
    package static let length = "NSCoreDataLength"
    /// Aggregates `(value)` that leave NULL out and are NULL over nothing: the middle, the most frequent and the
    /// deviation from the mean.
    package static let median = "NSCoreDataMedian"
    package static let mode = "NSCoreDataMode"
    package static let deviation = "NSCoreDataStandardDeviation"
    /// `()` -> seconds since 2001 (sqlite-store §10).
    package static let now = "NSCoreDataNow"

    /// `(table, Z_ENT, Z_PK, attribute, value)` -> NULL: what triggers end with, to tell of a derived value
    /// (sqlite-store §10).
    package static let updateReport = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    package static let insertReport = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    package static let customReport = "NSCoreDataTriggerUpdateAffectedObjectValue"

    package static let noCaseCollation = "NSCollateNoCase"
    package static let localeCollation = "NSCollateLocaleSensitive"
    package static let localeNoCaseCollation = "NSCollateLocaleSensitiveNoCase"
    package static let finderCollation = "NSCollateFinderlike"
}
