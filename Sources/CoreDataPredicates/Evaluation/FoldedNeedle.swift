/// The string that is looked for, folded once for all the strings it is looked for in.
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
    /// Whether strings are compared otherwise than byte for byte. `[n]` promises that bytes will do.
    package var folds: Bool {
        !contains(.normalized) && (contains(.caseInsensitive) || contains(.diacriticInsensitive))
    }

    /// Whether any of `[c]`, `[d]` and `[l]` is there.
    package var isSpecial: Bool {
        contains(.caseInsensitive) || contains(.diacriticInsensitive) || contains(.localeSensitive)
    }
}
