import Foundation

extension String {
    /// Returns whether the strings have the same bytes, which equal strings need not have.
    ///
    /// Takes almost no time if one string is a copy of the other.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let areSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                guard let start = bytes.baseAddress, let other = others.baseAddress else { return true }
                return start == other || memcmp(start, other, bytes.count) == 0
            }
        }
        return areSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the string comes first in the order of code points, which is the order of UTF-8 bytes.
    @usableFromInline
    package func precedesByCodePoint(_ other: String) -> Bool {
        let precedes = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                guard let start = bytes.baseAddress, let other = others.baseAddress else {
                    return bytes.count < others.count
                }
                let order = memcmp(start, other, min(bytes.count, others.count))
                return order == 0 ? bytes.count < others.count : order < 0
            }
        }
        return precedes.flatMap(\.self) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}
