import CoreDataModelFormat
public import CoreDataValues
package import Foundation

@usableFromInline
package struct SnapshotHeader {
    @usableFromInline let layout: RowLayout
    /// The columns of the layout.
    @usableFromInline let columns: UnsafePointer<RowLayout.Column>
    /// The layout's entity and root. Copied, since asking the layout would count a reference to it.
    @usableFromInline let entity: EntityIndex
    @usableFromInline let root: EntityIndex
    /// The number of words before the tail.
    @usableFromInline let wordCount: UInt32
    @usableFromInline let columnCount: UInt16
    @usableFromInline let hasReferences: Bool
    @usableFromInline var key: Int64
    @usableFromInline var version: Int64
    /// The bytes of the tail that are in use, and those that are reserved.
    @usableFromInline var tailUsed: UInt32
    @usableFromInline var tailCapacity: UInt32
}

/// The committed values of one row, packed into one allocation (`RowLayout`).
///
/// The code that makes a snapshot writes it; once shared it is immutable: the row cache, every context and
/// every object of the row hold the same instance. A clone has all values and may be written again
/// (copy-on-write).
///
/// A text or blob lies inline (up to 15 bytes, the count in the last byte), in the tail (tail mask: its
/// offset from the first word, and its count), or as a native `String` or `Data` that the row owns (native
/// mask). Drivers write the first two, objects the first and the last. A null column with the native mask
/// owns an `UnreadableValue`.
///
/// `ManagedBuffer` rules `Sendable` out for its subclasses, so the values that carry snapshots across the
/// seam declare it unchecked: their snapshots are either shared, and then immutable, or handed over for good.
///
/// The class is `@usableFromInline`, since other modules could inline none of its members otherwise.
@usableFromInline package final class Snapshot: ManagedBuffer<SnapshotHeader, UInt64> {
    @inlinable package static var inlineCapacity: Int { 15 }

    /// Makes a row whose columns are all null, with room for `tailBytes` bytes of long values.
    @inline(__always)
    package static func make(
        _ layout: RowLayout,
        key: Int64,
        version: Int64,
        tailBytes: Int = 0
    ) -> Snapshot {
        let tailWords = (tailBytes + 7) / 8
        let snapshot = allocate(wordCount: layout.wordCount + tailWords) {
            SnapshotHeader(
                layout: layout, columns: layout.columnPointer, entity: layout.entityIndex, root: layout.root,
                wordCount: UInt32(layout.wordCount), columnCount: UInt16(layout.columnCount),
                hasReferences: layout.hasReferences, key: key, version: version, tailUsed: 0,
                tailCapacity: UInt32(tailWords * 8))
        }
        let words = snapshot.words
        words.initialize(repeating: 0, count: layout.wordCount)
        var group = 0
        var remaining = layout.columnCount
        while remaining > 0 {
            words[3 * group] = remaining >= 64 ? .max : (1 << UInt64(remaining)) - 1
            group += 1
            remaining -= 64
        }
        return snapshot
    }

    /// Makes a row whose words are not initialized.
    @inline(__always)
    private static func allocate(wordCount: Int, _ header: () -> SnapshotHeader) -> Snapshot {
        unsafeDowncast(Snapshot.create(minimumCapacity: wordCount) { _ in header() }, to: Snapshot.self)
    }

    deinit {
        releaseNatives()
    }

    // MARK: Access

    /// The address of the header. Each use of `header` would check for exclusive access at run time, which is
    /// not needed: a row is written by one owner, and a shared row is not written.
    @inlinable var head: UnsafeMutablePointer<SnapshotHeader> { withUnsafeMutablePointerToHeader { $0 } }

    @inlinable package var layout: RowLayout { head.pointee.layout }
    /// The columns of the layout.
    @inlinable package var columnLayouts: UnsafePointer<RowLayout.Column> { head.pointee.columns }
    /// Whether the entity has to-one relationships.
    @inlinable package var hasReferences: Bool { head.pointee.hasReferences }
    var columnCount: Int { Int(head.pointee.columnCount) }
    /// The number of words before the tail.
    var wordCount: Int { Int(head.pointee.wordCount) }
    @inlinable package var entity: EntityIndex { head.pointee.entity }
    /// The entity at the top of the row's hierarchy, within which keys are unique.
    @inlinable package var root: EntityIndex { head.pointee.root }
    @inlinable package var reference: ObjectReference {
        ObjectReference(entity: head.pointee.entity, key: head.pointee.key)
    }
    @inlinable package var key: Int64 {
        get { head.pointee.key }
        set { head.pointee.key = newValue }
    }
    @inlinable package var version: Int64 {
        get { head.pointee.version }
        set { head.pointee.version = newValue }
    }

    /// The address of the first word; valid as long as the snapshot lives.
    @inlinable package var words: UnsafeMutablePointer<UInt64> {
        withUnsafeMutablePointerToElements { $0 }
    }

    private func setMask(_ mask: Mask, _ column: Int, _ on: Bool) {
        Self.setMask(mask, column, on, in: words)
    }

    @inlinable package func columnLayout(_ column: Int) -> RowLayout.Column {
        assert(column >= 0 && column < head.pointee.columnCount)
        return head.pointee.columns[column]
    }

    package func type(of column: Int) -> AttributeType { columnLayout(column).type }

    private func address(_ column: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(words + columnLayout(column).offset)
    }

    @inlinable package func isNull(_ column: Int) -> Bool { Self.mask(.null, column, in: words) }
    func isNative(_ column: Int) -> Bool { Self.mask(.native, column, in: words) }

    // MARK: Reading

    @inlinable package func integer(_ column: Int) -> Int64 {
        Int64(bitPattern: words[columnLayout(column).offset])
    }

    @inlinable package func double(_ column: Int) -> Double {
        Double(bitPattern: words[columnLayout(column).offset])
    }

    package func uuid(_ column: Int) -> UUID {
        UUID(uuid: address(column).loadUnaligned(as: uuid_t.self))
    }

    package func decimal(_ column: Int) -> Decimal {
        address(column).loadUnaligned(as: Decimal.self)
    }

    package func toOne(_ column: Int) -> ObjectReference? {
        guard !isNull(column) else { return nil }
        let offset = columnLayout(column).offset
        return ObjectReference(
            entity: EntityIndex(truncatingIfNeeded: words[offset]), key: Int64(bitPattern: words[offset + 1]))
    }

    /// Calls `body` with the bytes of a text or blob, which are copied only if they are native.
    package func withBytes<Result>(
        _ column: Int,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        if let bytes = Self.packedBytes(column, at: columnLayout(column).offset, in: words) {
            return try body(bytes)
        }
        let slot = address(column)
        if columnLayout(column).storage == .text {
            var string = slot.load(as: String.self)
            return try string.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
        }
        return try slot.load(as: Data.self).withUnsafeBytes(body)
    }

    package func string(_ column: Int) -> String {
        Self.string(column, at: columnLayout(column).offset, in: words)
    }

    package func data(_ column: Int) -> Data {
        if isNative(column), !isNull(column) { return address(column).load(as: Data.self) }
        return withBytes(column) { Data($0) }
    }

    /// Returns the stored value that cannot be read and for which the column is null; nil if there is none.
    package func unreadableValue(_ column: Int) -> UnreadableValue? {
        guard isNative(column), isNull(column) else { return nil }
        return address(column).load(as: UnreadableValue.self)
    }

    /// Whether any column has a value that cannot be read.
    package var hasUnreadableValues: Bool {
        var group = 0
        while group * 64 < columnCount {
            if words[3 * group] & words[3 * group + 2] != 0 { return true }
            group += 1
        }
        return false
    }

    /// The columns that are not null.
    package var filledColumns: ColumnMask {
        var result = ColumnMask()
        for column in 0..<columnCount where !isNull(column) { result.insert(column) }
        return result
    }

    // MARK: Writing (only before the snapshot is shared)

    package func setNull(_ column: Int) {
        releaseNative(column)
        setMask(.null, column, true)
        setMask(.tail, column, false)
        let slot = columnLayout(column)
        for word in slot.offset..<slot.offset + slot.storage.width { words[word] = 0 }
        checkInvariants(of: column)
    }

    package func setInteger(_ column: Int, _ value: Int64) {
        words[columnLayout(column).offset] = UInt64(bitPattern: value)
        setMask(.null, column, false)
        checkInvariants(of: column)
    }

    package func setDouble(_ column: Int, _ value: Double) {
        words[columnLayout(column).offset] = value.bitPattern
        setMask(.null, column, false)
        checkInvariants(of: column)
    }

    package func setUUID(_ column: Int, _ value: UUID) {
        address(column).storeBytes(of: value.uuid, as: uuid_t.self)
        setMask(.null, column, false)
        checkInvariants(of: column)
    }

    package func setDecimal(_ column: Int, _ value: Decimal) {
        address(column).storeBytes(of: value, as: Decimal.self)
        setMask(.null, column, false)
        checkInvariants(of: column)
    }

    package func setToOne(_ column: Int, _ reference: ObjectReference) {
        let offset = columnLayout(column).offset
        words[offset] = UInt64(truncatingIfNeeded: reference.entity)
        words[offset + 1] = UInt64(bitPattern: reference.key)
        setMask(.null, column, false)
        checkInvariants(of: column)
    }

    /// Makes a column null, but keeps its stored bytes.
    package func setUnreadable(_ column: Int, _ value: UnreadableValue) {
        setNull(column)
        address(column).initializeMemory(as: UnreadableValue.self, to: value)
        setMask(.native, column, true)
        checkInvariants(of: column)
    }

    /// Copies a text or blob inline, or into the tail in the room that `make` reserved.
    package func setPacked(_ column: Int, _ bytes: UnsafeRawBufferPointer) {
        if isNative(column) { releaseNative(column) }
        let slot = address(column)
        if bytes.count <= Self.inlineCapacity {
            setInline(column, bytes)
            return
        }
        let used = Int(head.pointee.tailUsed)
        precondition(used + bytes.count <= Int(head.pointee.tailCapacity), "the row's tail is full")
        let offset = wordCount * 8 + used
        (UnsafeMutableRawPointer(words) + offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
        head.pointee.tailUsed += UInt32(bytes.count)
        slot.storeBytes(of: UInt32(offset), as: UInt32.self)
        slot.storeBytes(of: UInt32(bytes.count), toByteOffset: 4, as: UInt32.self)
        setMask(.null, column, false)
        setMask(.tail, column, true)
        checkInvariants(of: column)
    }

    /// Returns whether a value of `count` bytes needs room in the tail.
    package static func needsTail(_ count: Int) -> Bool { count > inlineCapacity }

    package func setString(_ column: Int, _ value: String) {
        Self.setText(value, column, at: columnLayout(column).offset, in: words)
        checkInvariants(of: column)
    }

    package func setData(_ column: Int, _ value: Data) {
        if value.count <= Self.inlineCapacity {
            releaseNative(column)
            value.withUnsafeBytes { setInline(column, $0) }
        } else {
            releaseNative(column)
            address(column).initializeMemory(as: Data.self, to: value)
            setMask(.null, column, false)
            setMask(.tail, column, false)
            setMask(.native, column, true)
        }
        checkInvariants(of: column)
    }

    private func setInline(_ column: Int, _ bytes: UnsafeRawBufferPointer) {
        Self.setInline(bytes, at: address(column))
        setMask(.null, column, false)
        setMask(.tail, column, false)
        checkInvariants(of: column)
    }

    private func releaseNative(_ column: Int) {
        guard isNative(column) else { return }
        let layout = columnLayout(column)
        Self.releaseNative(column, isText: layout.storage == .text, at: layout.offset, in: words)
    }

    private func forEachNative(_ body: (Int) -> Void) {
        var group = 0
        while group * 64 < columnCount {
            var natives = words[3 * group + 2]
            while natives != 0 {
                body(group * 64 + natives.trailingZeroBitCount)
                natives &= natives - 1
            }
            group += 1
        }
    }

    private func releaseNatives() {
        forEachNative(releaseNative)
    }

    // MARK: Cloning

    /// Returns a copy of the row, which may be written until it is shared.
    package func clone() -> Snapshot {
        let tailWords = (Int(head.pointee.tailUsed) + 7) / 8
        let wordCount = self.wordCount + tailWords
        let copy = Snapshot.allocate(wordCount: wordCount) { head.pointee }
        copy.head.pointee.tailCapacity = UInt32(tailWords * 8)
        copy.words.initialize(from: words, count: wordCount)
        forEachNative { column in
            switch Self.native(column, isText: columnLayout(column).storage == .text, in: words) {
            case .unreadable: copyNative(column, UnreadableValue.self, to: copy)
            case .string: copyNative(column, String.self, to: copy)
            case .data: copyNative(column, Data.self, to: copy)
            }
        }
        copy.checkInvariants()
        return copy
    }

    private func copyNative<Value>(_ column: Int, _ type: Value.Type, to copy: Snapshot) {
        copy.address(column).initializeMemory(as: type, to: address(column).load(as: type))
    }

    /// Copies one column of another row of the same layout.
    package func copyColumn(_ column: Int, from other: Snapshot) {
        copyColumn(column, from: other, column: column)
    }

    /// Copies a column of another row into one of the same type.
    package func copyColumn(_ column: Int, from other: Snapshot, column source: Int) {
        if let value = other.unreadableValue(source) { return setUnreadable(column, value) }
        guard !other.isNull(source) else { return setNull(column) }
        switch columnLayout(column).storage {
        case .integer: setInteger(column, other.integer(source))
        case .double: setDouble(column, other.double(source))
        case .text: setString(column, other.string(source))
        case .bytes: setData(column, other.data(source))
        case .uuid: setUUID(column, other.uuid(source))
        case .decimal: setDecimal(column, other.decimal(source))
        case .reference: other.toOne(source).map { setToOne(column, $0) }
        }
    }
}
