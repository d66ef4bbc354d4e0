/// A string to search for, folded once for all strings that are searched.
package struct FoldedNeedle: Sendable, Hashable {
    let bytes: [UInt8]
    let options: ComparisonOptions

    package init(_ string: String, options: ComparisonOptions) {
        var string = string
        self = string.withUTF8 { FoldedNeedle(utf8: $0, options: options) }
    }

    package init(utf8: UnsafeBufferPointer<UInt8>, options: ComparisonOptions) {
        self.options = options
        bytes =
            options.folds
            ? StringFolding.withFolded(utf8, options: options) { Array($0) }
            : Array(utf8)
    }
}

extension ComparisonOptions {
    /// Whether strings are folded before they are compared. With `[n]`, they are known to be comparable byte
    /// by byte.
    package var folds: Bool {
        !contains(.normalized) && (contains(.caseInsensitive) || contains(.diacriticInsensitive))
    }

    /// Whether the options contain any of `[c]`, `[d]` and `[l]`.
    package var isSpecial: Bool {
        contains(.caseInsensitive) || contains(.diacriticInsensitive) || contains(.localeSensitive)
    }
}
