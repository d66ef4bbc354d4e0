import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The statements of a batch update.
struct BatchUpdatePlan: Sendable, Equatable {
    /// The inverse of a one-to-one relationship that the update sets to nil, so that the other rows lose
    /// their reference as well.
    struct Partner: Sendable, Equatable {
        /// The entity that declares the inverse.
        let entity: EntityIndex
        let table: SQLIdentifier
        let column: SQLIdentifier
        let entityColumn: SQLIdentifier?
        /// The column of the other entity's packed row.
        let packedColumn: Int
    }

    /// A position in an ordered relationship that is computed for each row.
    struct Position: Sendable, Equatable {
        let column: SQLIdentifier
        let ownerColumn: SQLIdentifier
        let owner: Int64
    }

    /// A value that is too long for a row. Each row gets an external file with it.
    struct File: Sendable, Equatable {
        let column: Int
        let name: SQLIdentifier
        let data: Data
    }

    let batch: BatchUpdate
    let tableName: SQLIdentifier
    /// The update of all rows: `UPDATE ZPERSON AS t0 SET ZAGE = (t0.ZAGE + ?), Z_OPT = t0.Z_OPT + 1`.
    var assignment: SQLFragment = ""
    /// The condition on the rows `t0` that are updated: ` WHERE …`, or nothing.
    let condition: SQLFragment
    var update: SQLFragment { assignment + condition }
    /// The queries for the external files that are overwritten.
    var externals: [SQLFragment] = []
    var files: [File] = []
    var partners: [Partner] = []
    var positions: [Position] = []
    /// The columns of the packed row that are written.
    var columns: ColumnMask
}

/// The compiler of a batch update into one UPDATE, for any predicate.
///
/// Pure.
struct BatchUpdateCompiler {
    private let batch: BatchUpdate
    private let compiler: SelectCompiler
    private let entity: CompiledEntity

    init(_ batch: BatchUpdate, _ compiler: SelectCompiler) {
        self.batch = batch
        self.compiler = compiler
        entity = compiler.schema.model[batch.entity]
    }

    func plan() throws(StoreError) -> BatchUpdatePlan {
        let table = try compiler.schema.table(of: batch.entity)
        let condition = try compiler.condition(
            FetchQuery(
                entity: batch.entity, includesSubentities: batch.includesSubentities,
                predicate: batch.predicate, shape: .references))
        var plan = BatchUpdatePlan(
            batch: batch, tableName: table.tableName, condition: condition, columns: ColumnMask())
        var assignments: [SQLFragment] = []
        for assignment in batch.assignments {
            let slot = entity.slots[assignment.slot]
            guard let column = slot.column else {
                throw StoreError(
                    .invalidValue, "\(entity.name).\(slot.name) has no column that a batch could update")
            }
            plan.columns.insert(column)
            let stored = table.columns[column]
            if slot.relationship != nil {
                assignments += try relationship(slot, stored, assignment.value, &plan)
            } else if let data = file(slot, assignment.value) {
                assignments.append("\(stored.name) = NULL")
                plan.files.append(.init(column: column, name: stored.name, data: data))
            } else if stored.elements.isEmpty {
                assignments.append("\(stored.name) = \(try value(assignment.value, for: slot))")
            } else {
                assignments += try composite(assignment.value, for: slot, stored)
            }
            if compiler.schema.externalColumns(of: batch.entity).contains(column) {
                let name = stored.name
                let conjunction: SQLText = condition.isEmpty ? " WHERE" : " AND"
                plan.externals.append(
                    """
                    SELECT \(name) FROM \(table.tableName) t0\(condition)\(conjunction) length(\(name)) = 38
                    """)
            }
        }
        assignments.append("Z_OPT = t0.Z_OPT + 1")
        plan.assignment = "UPDATE \(table.tableName) AS t0 SET \(assignments.joined(separator: ", "))"
        return plan
    }

    // MARK: Attributes

    /// Returns the bytes of a value that is too long for a row; nil for any other value.
    private func file(_ slot: PropertySlot, _ value: BatchUpdate.Value) -> Data? {
        guard compiler.schema.columnType(of: slot) == .externalData, case .constant(.data(let data)) = value,
            data.count > ExternalBytes.longestInline
        else { return nil }
        return data
    }

    private func value(_ value: BatchUpdate.Value, for slot: PropertySlot) throws(StoreError) -> SQLFragment {
        guard let attribute = slot.attribute else { return "NULL" }
        let type = compiler.schema.columnType(of: slot)
        switch value {
        case .constant(let constant):
            return "\(bind: try compiler.encoder.encode(constant, as: type), as: type)"
        case .expression(let expression):
            guard type != .externalData else {
                throw StoreError(
                    .unsupported,
                    "\(entity.name).\(slot.name) allows external storage: a batch sets it to a constant only")
            }
            return try computed(expression, for: slot, attribute.type, type)
        }
    }

    private func composite(
        _ value: BatchUpdate.Value, for slot: PropertySlot, _ stored: StoredColumn
    ) throws(StoreError) -> [SQLFragment] {
        guard case .constant(let constant) = value else {
            throw StoreError(
                .unsupported, "\(entity.name).\(slot.name) is composite: a batch sets it to a constant only")
        }
        return stored.elements.map { element in
            let value = SQLValue(constant.element(at: element.path)) ?? .null
            return "\(element.name) = \(bind: value, as: .attribute(element.type))"
        }
    }

    /// Returns an expression over the row's own columns.
    private func computed(
        _ expression: ExpressionNode,
        for slot: PropertySlot,
        _ type: AttributeType,
        _ bound: BoundType
    ) throws(StoreError) -> SQLFragment {
        let scope = try BindingScope(
            schema: compiler.schema, dialect: compiler.dialect, entity: batch.entity)
        let value = try scope.expressions.scalar(expression, as: bound)
        guard scope.root.select.source.joins.isEmpty else {
            throw StoreError(
                .unsupported,
                "the value of \(entity.name).\(slot.name), \(expression), leads to another row: a batch update "
                    + "computes values from the row itself")
        }
        if case .reference = value.type {
            throw StoreError(
                .invalidValue, "\(entity.name).\(slot.name) is no relationship: \(expression) is an object")
        }
        let written = compiler.writer.write(value)
        try compiler.writer.checkNesting(of: written)
        guard !value.isConstant, value.type != bound, let cast = Self.cast(to: type) else { return written }
        return compiler.dialect.cast(SQLOperand(written, value.type), to: cast)
    }

    /// Returns the cast that a value needs, since a column stores a value of any type while its readers rely
    /// on the attribute's.
    private static func cast(to type: AttributeType) -> CastType? {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float: .double
        case .string, .uri: .text
        case .date, .decimal, .binary, .uuid, .transformable, .undefined, .objectID, .composite: nil
        }
    }

    // MARK: To-one relationships

    private func relationship(
        _ slot: PropertySlot,
        _ stored: StoredColumn,
        _ value: BatchUpdate.Value,
        _ plan: inout BatchUpdatePlan
    ) throws(StoreError) -> [SQLFragment] {
        guard case .constant(let constant) = value, let relationship = slot.relationship else {
            throw StoreError(
                .unsupported,
                "\(entity.name).\(slot.name) is a relationship: a batch sets it to an object or nil")
        }
        let destination: ObjectReference? =
            if case .reference(let reference) = constant { reference } else { nil }
        let inverse = compiler.schema.model.inverse(of: relationship)
        if let inverse, inverse.isToOne, !inverse.isTransient {
            guard destination == nil else {
                throw StoreError(
                    .unsupported,
                    "\(entity.name).\(slot.name) is one-to-one: a batch can only set it to nil, as several rows "
                        + "cannot share an object")
            }
            addPartner(inverse, relationship, &plan)
        }
        let key = destination.map { SQLValue.integer($0.key) } ?? .null
        let type = compiler.schema.columnType(of: slot)
        var result: [SQLFragment] = ["\(stored.name) = \(bind: key, as: type)"]
        if let entityColumn = stored.entityColumn {
            let number = destination.flatMap { compiler.schema[$0.entity]?.number }
            result.append("\(entityColumn) = \(bind: number.map(SQLValue.integer) ?? .null, as: .entity)")
        }
        if let order = stored.orderColumn {
            result.append("\(order) = NULL")
            if let destination {
                plan.positions.append(.init(column: order, ownerColumn: stored.name, owner: destination.key))
            }
        }
        return result
    }

    private func addPartner(
        _ inverse: PropertySlot,
        _ relationship: RelationshipSlot,
        _ plan: inout BatchUpdatePlan
    ) {
        guard let table = compiler.schema[relationship.destination], let column = inverse.column else {
            return
        }
        plan.partners.append(
            .init(
                entity: inverse.declaringEntity, table: table.tableName, column: table.columns[column].name,
                entityColumn: table.columns[column].entityColumn, packedColumn: column))
    }
}
