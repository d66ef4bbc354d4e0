/// The string that is looked for, folded once for all the strings it is looked for in.
package struct FoldedNeedle: Sendable, Hashable {
    let bytes: [UInt8]
    let isASCII: Bool
    let options: ComparisonOptions

    package init(_ string: String, options: ComparisonOptions) {
        var string = string
        self = string.withUTF8 { FoldedNeedle(utf8: $0, options: options) }
    }

    package init(utf8: UnsafeBufferPointer<UInt8>, options: ComparisonOptions) {
        self.options = options
        isASCII = StringFolding.isASCII(utf8)
        bytes =
            options.folds
            ? StringFolding.withFolded(utf8, options: options) { Array($0) }
            : Array(utf8)
    }
}

extension ComparisonOptions {
    /// Whether strings are compared otherwise than byte for byte. `[n]` promises that bytes will do.
    package var folds: Bool {
        !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    }
}
