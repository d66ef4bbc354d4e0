package import CoreDataModelFormat
package import CoreDataValues
import Synchronization

/// The positions of an entity's columns in a packed row.
///
/// A row is an array of 64-bit words. It starts with three mask words (null, tail and native) for every 64
/// columns. Then come the columns at fixed offsets, and behind them the tail: the bytes of long texts and
/// blobs. Inherited columns come first, and all entities of a hierarchy have as many mask words as the widest
/// needs: an offset found for an entity holds for its subentities.
@usableFromInline package final class RowLayout: @unchecked Sendable {
    /// The representation of a column in its words.
    @frozen @usableFromInline
    package enum Storage: UInt8, Sendable {
        /// One word: integers and booleans.
        case integer
        /// One word: doubles, floats and dates (seconds since 2001).
        case double
        /// Two words: UTF-8, inline up to 15 bytes.
        case text
        /// Two words: bytes, inline up to 15.
        case bytes
        /// Two words.
        case uuid
        /// Three words: a `Decimal`.
        case decimal
        /// Two words: the entity index and the key of a to-one destination.
        case reference

        /// Whether the values are texts or blobs of any length.
        package var isLengthy: Bool {
            switch self {
            case .text, .bytes: true
            case .integer, .double, .uuid, .decimal, .reference: false
            }
        }

        package var width: Int {
            switch self {
            case .integer, .double: 1
            case .text, .bytes, .uuid, .reference: 2
            case .decimal: 3
            }
        }
    }

    @usableFromInline
    package struct Column: Sendable {
        @usableFromInline package let storage: Storage
        package let type: AttributeType
        /// The index of the column's first word.
        @usableFromInline package let offset: Int
        /// The index of the property in `CompiledEntity.slots`.
        @usableFromInline package let slot: Int
        /// Whether a large value may lie in an external file.
        @usableFromInline package let allowsExternalStorage: Bool
    }

    /// A number that no other layout of the process has; never 0.
    package let id: UInt32
    package let entity: CompiledEntity
    package let columns: [Column]
    /// A copy of `columns` that rows read without counting a reference. Lives as long as the layout.
    @usableFromInline package let columnPointer: UnsafePointer<Column>
    // The values that every new row copies into its header. They lie side by side, since otherwise each
    // access would be a cache miss.
    let entityIndex: EntityIndex
    let root: EntityIndex
    let columnCount: Int
    let hasReferences: Bool
    /// The number of words before the tail.
    package let wordCount: Int

    private static let nextID = Atomic<UInt32>(1)

    /// - Parameter widest: The number of columns of the widest entity in the hierarchy.
    fileprivate init(_ entity: CompiledEntity, widest: Int) {
        id = Self.nextID.add(1, ordering: .relaxed).oldValue
        self.entity = entity
        var offset = 3 * ((widest + 63) / 64)
        columns = entity.columns.map { slot in
            let (storage, type) = Self.storage(of: slot)
            defer { offset += storage.width }
            return Column(
                storage: storage, type: type, offset: offset, slot: slot.index,
                allowsExternalStorage: slot.attribute?.allowsExternalStorage ?? false)
        }
        wordCount = offset
        (entityIndex, root) = (entity.index, entity.root)
        columnCount = columns.count
        hasReferences = !entity.referenceColumns.isEmpty
        let pointer = UnsafeMutablePointer<Column>.allocate(capacity: columns.count)
        pointer.initialize(from: columns, count: columns.count)
        columnPointer = UnsafePointer(pointer)
    }

    deinit { columnPointer.deallocate() }

    private static func storage(of slot: PropertySlot) -> (Storage, AttributeType) {
        guard let attribute = slot.attribute else { return (.reference, .objectID) }
        let storage: Storage =
            switch attribute.type {
            case .integer16, .integer32, .integer64, .boolean: .integer
            case .double, .float, .date: .double
            case .string, .uri: .text
            case .binary, .transformable, .composite, .undefined: .bytes
            case .uuid: .uuid
            case .decimal: .decimal
            case .objectID: .text
            }
        return (storage, attribute.type)
    }
}

/// The layouts of a model's entities, by entity index.
package struct RowLayouts: Sendable {
    private let layouts: [RowLayout]

    package init(_ model: CompiledModel) {
        var widest: [EntityIndex: Int] = [:]
        for entity in model.entities {
            widest[entity.root] = max(widest[entity.root] ?? 0, entity.columns.count)
        }
        layouts = model.entities.map { RowLayout($0, widest: widest[$0.root] ?? 0) }
    }

    package subscript(_ entity: EntityIndex) -> RowLayout { layouts[Int(entity)] }
}
