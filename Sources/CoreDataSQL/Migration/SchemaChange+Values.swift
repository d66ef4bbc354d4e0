import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

extension SchemaChange {
    /// Returns the default in the form that a column stores; nil if there is none.
    func storedDefault(of attribute: AttributeSlot, at path: [String], _ slot: PropertySlot) -> SQLValue? {
        let value: SQLValue?
        if attribute.type == .transformable {
            let key = ([name(of: slot.declaringEntity), slot.name] + path).joined(separator: ".")
            value = transformedDefaults[key].map(SQLValue.blob)
        } else {
            value = SQLValue(attribute.defaultValue)
        }
        guard let value, value != .null else { return nil }
        if dialect.keepsExternalFiles, attribute.allowsExternalStorage, case .blob(let data) = value {
            return .blob([1] + data)
        }
        return value
    }

    /// Returns the entities whose rows get the default of a column: those that had no such column, and those
    /// that may have had no value in it.
    func receivers(of column: TargetColumn) -> (new: [EntityIndex], formerlyOptional: [EntityIndex]) {
        var (new, optional): ([EntityIndex], [EntityIndex]) = ([], [])
        for (entity, source) in column.sources where moves.moves[entity] != nil {
            guard !evolution.destination[entity].isAbstract else { continue }
            if let source {
                if source.isOptional { optional.append(entity) }
            } else {
                new.append(entity)
            }
        }
        return (new, optional)
    }
}
