import Foundation

// Access to a row by a pointer to its words, for callers that have this pointer and not the row. The row must
// stay alive, and must not be shared yet if the words are written.
extension Snapshot {
    /// The masks that a row has for each 64 columns, in their order.
    @frozen @usableFromInline
    package enum Mask: Int {
        case null, tail, native
    }

    @inlinable @inline(__always)
    package static func mask(_ mask: Mask, _ column: Int, in words: UnsafeMutablePointer<UInt64>) -> Bool {
        words[3 * (column >> 6) + mask.rawValue] & (1 << UInt64(truncatingIfNeeded: column & 63)) != 0
    }

    /// Removes a column from the null mask.
    @inlinable @inline(__always)
    package static func markPresent(_ column: Int, in words: UnsafeMutablePointer<UInt64>) {
        words[3 * (column >> 6)] &= ~(1 << UInt64(truncatingIfNeeded: column & 63))
    }

    /// Returns the bytes of a text or blob without copying them; nil if they are native.
    /// - Parameters:
    ///   - column: The column's number.
    ///   - offset: The index of the column's first word.
    ///   - words: The words of the row.
    @inlinable @inline(__always)
    package static func packedBytes(
        _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) -> UnsafeRawBufferPointer? {
        let slot = UnsafeRawPointer(words + offset)
        if mask(.tail, column, in: words) {
            let start = Int(slot.load(as: UInt32.self))
            let count = Int(slot.load(fromByteOffset: 4, as: UInt32.self))
            return UnsafeRawBufferPointer(start: UnsafeRawPointer(words) + start, count: count)
        }
        if mask(.native, column, in: words), !mask(.null, column, in: words) { return nil }
        return UnsafeRawBufferPointer(
            start: slot, count: Int(slot.load(fromByteOffset: inlineCapacity, as: UInt8.self)))
    }

    /// Returns the UTF-8 of a text, valid as long as the row lives and is not written.
    @inline(__always)
    static func text(
        _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) -> UnsafeBufferPointer<UInt8> {
        packedBytes(column, at: offset, in: words)?.assumingMemoryBound(to: UInt8.self)
            ?? nativeText(at: offset, in: words)
    }

    /// Returns the bytes of any text or blob, valid as long as the row lives and is not written.
    @inlinable @inline(__always)
    package static func bytes(
        _ column: Int, _ layout: UnsafePointer<RowLayout.Column>, in words: UnsafeMutablePointer<UInt64>
    ) -> UnsafeRawBufferPointer {
        let offset = layout.pointee.offset
        return packedBytes(column, at: offset, in: words) ?? nativeBytes(layout, in: words)
    }

    // Native texts and data are too long for the small forms of `String` and `Data`, so their bytes lie in a
    // buffer and the pointers below stay valid without a copy.

    private static func nativeText(
        at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) -> UnsafeBufferPointer<UInt8> {
        let slot = UnsafeMutableRawPointer(words + offset)
        return slot.assumingMemoryBound(to: String.self).pointee.withUTF8 { $0 }
    }

    @usableFromInline
    static func nativeBytes(
        _ layout: UnsafePointer<RowLayout.Column>, in words: UnsafeMutablePointer<UInt64>
    ) -> UnsafeRawBufferPointer {
        let offset = layout.pointee.offset
        if layout.pointee.storage == .text {
            return UnsafeRawBufferPointer(nativeText(at: offset, in: words))
        }
        let slot = UnsafeMutableRawPointer(words + offset)
        return slot.assumingMemoryBound(to: Data.self).pointee.withUnsafeBytes { $0 }
    }

    package static func string(
        _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) -> String {
        if let bytes = packedBytes(column, at: offset, in: words) {
            return String(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        return UnsafeRawPointer(words + offset).load(as: String.self)
    }

    // MARK: Writing

    static func setMask(
        _ mask: Mask, _ column: Int, _ on: Bool, in words: UnsafeMutablePointer<UInt64>
    ) {
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: column & 63)
        if on {
            words[3 * (column >> 6) + mask.rawValue] |= bit
        } else {
            words[3 * (column >> 6) + mask.rawValue] &= ~bit
        }
    }

    /// Writes a text into a column, or null for nil.
    package static func setText(
        _ value: String?, _ column: Int, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) {
        let slot = UnsafeMutableRawPointer(words + offset)
        releaseNative(column, isText: true, at: offset, in: words)
        setMask(.tail, column, false, in: words)
        setMask(.null, column, value == nil, in: words)
        guard let value else {
            (words[offset], words[offset + 1]) = (0, 0)
            return
        }
        if !setInline(value, at: slot) {
            slot.initializeMemory(as: String.self, to: value)
            setMask(.native, column, true, in: words)
        }
    }

    /// Writes a text inline. Returns false for a text that is too long.
    @inline(__always)
    private static func setInline(_ value: String, at slot: UnsafeMutableRawPointer) -> Bool {
        func set(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
            guard utf8.count <= inlineCapacity else { return false }
            setInline(UnsafeRawBufferPointer(utf8), at: slot)
            return true
        }
        if let isSet = value.utf8.withContiguousStorageIfAvailable(set) { return isSet }
        var contiguous = value
        return contiguous.withUTF8(set)
    }

    enum Native {
        case string, data, unreadable
    }

    /// Returns the type of the value that a column with the native mask owns.
    static func native(_ column: Int, isText: Bool, in words: UnsafeMutablePointer<UInt64>) -> Native {
        if mask(.null, column, in: words) { return .unreadable }
        return isText ? .string : .data
    }

    /// Releases the native value that a column owns, if any, before the column is written.
    @inline(__always)
    static func releaseNative(
        _ column: Int, isText: Bool, at offset: Int, in words: UnsafeMutablePointer<UInt64>
    ) {
        guard mask(.native, column, in: words) else { return }
        let slot = UnsafeMutableRawPointer(words + offset)
        switch native(column, isText: isText, in: words) {
        case .unreadable: slot.assumingMemoryBound(to: UnreadableValue.self).deinitialize(count: 1)
        case .string: slot.assumingMemoryBound(to: String.self).deinitialize(count: 1)
        case .data: slot.assumingMemoryBound(to: Data.self).deinitialize(count: 1)
        }
        setMask(.native, column, false, in: words)
    }

    /// Writes at most 15 bytes, and their number into the last byte.
    static func setInline(_ bytes: UnsafeRawBufferPointer, at slot: UnsafeMutableRawPointer) {
        slot.storeBytes(of: 0, as: UInt64.self)
        slot.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
        if let start = bytes.baseAddress { slot.copyMemory(from: start, byteCount: bytes.count) }
        slot.storeBytes(of: UInt8(bytes.count), toByteOffset: inlineCapacity, as: UInt8.self)
    }
}
