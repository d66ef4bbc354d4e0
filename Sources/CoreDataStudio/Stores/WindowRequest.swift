import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import CoreDataTool

/// The list that a page asks for: an entity, a filter, an order and columns.
struct WindowRequest: Sendable {
    let specification: FetchSpecification
    let entity: CompiledEntity
    let columns: [PropertySlot]

    /// The greatest length of a filter's text in bytes.
    static let longestFilter = 64 << 10

    init(_ body: JSONValue, in model: StoreModel) throws {
        guard let name = body["entity"]?.string, let entity = model.compiled.entity(named: name) else {
            throw StoreFailures.malformed("the model has no entity \"\(body["entity"]?.string ?? "")\"")
        }
        let filter = body["filter"]?.string ?? ""
        guard filter.utf8.count <= Self.longestFilter else {
            throw StudioFailure(.tooLarge, "the filter is longer than \(Self.longestFilter >> 10) KB")
        }
        let sort = body["sort"]?.strings ?? []
        self.entity = entity
        columns = try Self.columns(body["columns"]?.strings, of: entity)
        specification = FetchSpecification(
            entity: entity.name, predicate: filter.allSatisfy(\.isWhitespace) ? nil : filter,
            sort: sort, includesSubentities: body["withoutSubentities"] != .boolean(true))
    }

    /// The list in words, for the strip of running work.
    var title: String {
        let filter = specification.predicate.map { " where \($0)" } ?? ""
        let order = specification.sort.isEmpty ? "" : " by \(specification.sort.joined(separator: ", "))"
        return entity.name + filter + order
    }

    /// Returns the columns of names; all that are stored if none are named: attributes first, then relationships.
    private static func columns(_ names: [String]?, of entity: CompiledEntity) throws -> [PropertySlot] {
        guard let names else {
            let stored = entity.slots.filter { ($0.column != nil || $0.isToMany) && !$0.isTransient }
            let title = TitleAttribute.slot(of: entity)
            return stored.sorted { rank($0, title) < rank($1, title) }
        }
        return try names.map { name in
            guard let slot = entity.slot(named: name), slot.column != nil || slot.isToMany, !slot.isTransient
            else { throw StoreFailures.malformed("\(entity.name) has no column \"\(name)\"") }
            return slot
        }
    }

    private static func rank(_ slot: PropertySlot, _ title: PropertySlot?) -> (Int, String) {
        let kind = slot === title ? 0 : slot.attribute != nil ? 1 : slot.isToOne ? 2 : 3
        return (kind, slot.name.lowercased())
    }
}

extension JSONValue {
    var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        return elements.compactMap(\.string)
    }

    var integer: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }
}
