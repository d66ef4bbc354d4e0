import Foundation

extension String {
    /// Whether the other is of the same bytes, which strings that are equal need not be. Takes no time to speak of where
    /// one is a copy of the other.
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
}
