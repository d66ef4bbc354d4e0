import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Synchronization

/// The selection of whole rows of some entities, with the plan that decodes them.
struct RowShape: Sendable {
    /// The selected columns: `t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME, …`.
    let selection: SQLText
    /// The number of selected columns.
    let columnCount: Int
    let plan: ResultPlan
}

/// A cache of row shapes, since making that of a wide table costs more than the rest of compiling a query.
final class RowShapes: Sendable {
    private let schema: StoreSchema
    private let layouts: RowLayouts
    private let known = Mutex<[Range<EntityIndex>: RowShape]>([:])

    init(_ schema: StoreSchema, _ layouts: RowLayouts) {
        self.schema = schema
        self.layouts = layouts
    }

    /// Returns the shape of the rows of an entity, with or without those of its subentities.
    func shape(of entity: EntityIndex, includesSubentities: Bool) -> RowShape {
        let family = schema.model[entity].family(includingSubentities: includesSubentities)
        if let shape = known.withLock({ $0[family] }) { return shape }
        let columns = RowColumns(schema, family: family)
        let names = [NameMangling.key, NameMangling.entity, NameMangling.version] + columns.names
        let selection = names.map { "t0.\($0)" as SQLText }.joined(separator: ", ")
        let shape = RowShape(
            selection: selection, columnCount: names.count, plan: columns.plan(layouts))
        known.withLock { $0[family] = shape }
        return shape
    }
}
