import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// What of an object a condition, an order or a name depends on: as long as these columns keep their values, it stays
/// what it was.
struct ColumnsRead {
    /// Nil if there may be more to it than the stored values of the object.
    private let columns: ColumnMask?

    /// - Parameters:
    ///   - paths: The key paths that are read; nil if they are not known.
    ///   - runtimes: The entities that the object may be of.
    init(_ paths: [[String]]?, of runtimes: [EntityRuntime]) {
        columns = paths.flatMap { paths in
            var mask = ColumnMask()
            for runtime in runtimes {
                for path in paths {
                    guard let column = runtime.column(decidingOn: path) else { return nil }
                    mask.insert(column)
                }
            }
            return mask
        }
    }

    /// What the name of a section depends on: not on an object, of which nobody knows how it is printed.
    init(nameOf keyPath: String?, of runtimes: [EntityRuntime]) {
        let isStored = runtimes.allSatisfy { runtime in
            keyPath.map { runtime.slot(named: $0)?.attribute != nil && !runtime.answersItself(forKey: $0) }
                ?? true
        }
        self.init(isStored ? keyPath.map { [[$0]] } ?? [] : nil, of: runtimes)
    }

    /// Whether what depends on them may be another after a change.
    func mayDiffer(after change: ChangedObjects.Change) -> Bool {
        guard let columns, case .columns(let changed) = change else { return true }
        return !columns.isDisjoint(with: changed)
    }
}

extension EntityRuntime {
    /// The column that alone decides what lies at a key path. Nil where another object, a transformer, the app's code or
    /// the store has a say.
    fileprivate func column(decidingOn path: [String]) -> Int? {
        guard let slot = path.first.flatMap(slot) else { return nil }
        switch slot.kind {
        case .attribute(let attribute):
            return attribute.type == .transformable || attribute.derivation != nil ? nil : slot.column
        case .relationship: return path.count == 1 ? slot.column : nil
        case .fetchedProperty: return nil
        }
    }
}
