/// The names of SQL functions and collations that the queries call and a SQLite driver registers.
///
/// All functions but `now` are deterministic, return NULL when a string argument is NULL and read numbers as
/// their text.
package enum SQLFunctionNames {
    /// `(kind, haystack, needle, options)` -> 1, 0 or NULL.
    ///
    /// `kind` is a `StringMatch`, `options` the raw value of `ComparisonOptions`: 1 case, 2 diacritic
    /// insensitive, 4 normalized, 8 locale sensitive.
    package static let stringSearch: SQLText = "NSCoreDataStringSearch"
    /// `(left, right, options)` -> -1, 0, 1 or NULL; options as in `stringSearch`.
    package static let stringCompare: SQLText = "NSCoreDataStringCompare"
    /// `(text)` -> text, by Unicode's full mappings.
    package static let lowercase: SQLText = "NSCoreDataLowercase"
    package static let uppercase: SQLText = "NSCoreDataUppercase"
    /// `(text)` -> text without case and diacritics.
    package static let canonical: SQLText = "NSCoreDataCanonical"
    /// `(text, options)` -> text without the differences that the options ignore: equal texts are equal in
    /// bytes.
    package static let folded: SQLText = "NSCoreDataFolded"
    /// `(bytes)` -> the value of an attribute with external storage, given the bytes in its column; it is
    /// read from its file if the column names one, and NULL if the file cannot be read (sqlite-store §6).
    package static let contents: SQLText = "NSCoreDataContents"
    /// `(text)` -> its length as `NSString` counts it, in UTF-16 units.
    package static let length: SQLText = "NSCoreDataLength"
    /// The aggregate `(value)` -> the median.
    ///
    /// This one and the next two, the most frequent value and the standard deviation, ignore NULL. Over no
    /// values they are NULL.
    package static let median: SQLText = "NSCoreDataMedian"
    package static let mode: SQLText = "NSCoreDataMode"
    package static let deviation: SQLText = "NSCoreDataStandardDeviation"
    /// `()` -> seconds since 2001 (sqlite-store §10).
    package static let now: SQLText = "NSCoreDataNow"

    /// `(table, Z_ENT, Z_PK, attribute, value)` -> NULL: the last call of triggers, which reports a derived
    /// value (sqlite-store §10).
    package static let updateReport: SQLText = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    package static let insertReport: SQLText = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    package static let customReport: SQLText = "NSCoreDataTriggerUpdateAffectedObjectValue"

    package static let noCaseCollation: SQLText = "NSCollateNoCase"
    package static let localeCollation: SQLText = "NSCollateLocaleSensitive"
    package static let localeNoCaseCollation: SQLText = "NSCollateLocaleSensitiveNoCase"
    package static let finderCollation: SQLText = "NSCollateFinderlike"

    static func name(of collation: SortCollation) -> SQLText {
        switch collation {
        case .caseInsensitive: noCaseCollation
        case .localized: localeCollation
        case .localizedCaseInsensitive: localeNoCaseCollation
        case .localizedStandard: finderCollation
        }
    }
}
