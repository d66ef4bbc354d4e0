import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Synchronization

/// What selecting whole rows of some entities takes.
struct RowShape: Sendable {
    /// `t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME, …`
    let selection: SQLText
    /// How many columns that selects.
    let columnCount: Int
    let plan: ResultPlan
}

/// The row shapes asked for so far: a wide table's costs more than the rest of a query.
final class RowShapes: Sendable {
    private let schema: StoreSchema
    private let layouts: RowLayouts
    private let known = Mutex<[Range<EntityIndex>: RowShape]>([:])

    init(_ schema: StoreSchema, _ layouts: RowLayouts) {
        self.schema = schema
        self.layouts = layouts
    }

    /// The entity's rows, or those of all below it too.
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
