extension Snapshot {
    /// Traps if masks, words and tail contradict each other; in builds with `CORE_DATA_CHECKS` alone.
    package func checkInvariants() {
        #if CORE_DATA_CHECKS
        precondition(head.pointee.tailUsed <= head.pointee.tailCapacity, "a row's tail is too long")
        for column in 0..<columnCount { checkInvariants(of: column) }
        guard columnCount & 63 != 0 else { return }
        for mask in 0..<3 {
            let bits = words[3 * (columnCount >> 6) + mask]
            precondition(bits >> UInt64(columnCount & 63) == 0, "a row's mask has bits of no column")
        }
        #endif
    }

    @inline(__always)
    func checkInvariants(of column: Int) {
        #if CORE_DATA_CHECKS
        let layout = columnLayout(column)
        let isNull = isNull(column)
        let isNative = isNative(column)
        guard layout.storage == .text || layout.storage == .bytes else {
            precondition(!Self.mask(.tail, column, in: words), "column \(column) is no text in the tail")
            precondition(!isNative || isNull, "column \(column) is no native text")
            return
        }
        if Self.mask(.tail, column, in: words) {
            precondition(!isNull && !isNative, "column \(column) is held in two ways")
            let slot = UnsafeRawPointer(words + layout.offset)
            let start = Int(slot.load(as: UInt32.self))
            let end = start + Int(slot.load(fromByteOffset: 4, as: UInt32.self))
            let tail = wordCount * 8...wordCount * 8 + Int(head.pointee.tailUsed)
            precondition(tail.contains(start) && tail.contains(end), "column \(column) lies outside the tail")
        } else if !isNull, !isNative {
            let last = UnsafeRawPointer(words + layout.offset).load(fromByteOffset: 15, as: UInt8.self)
            precondition(last <= Self.inlineCapacity, "column \(column) is longer than its words")
        }
        #endif
    }
}
