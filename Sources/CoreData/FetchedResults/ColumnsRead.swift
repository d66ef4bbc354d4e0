import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The columns of an object on which a condition, an order or a section name depends. While these columns
/// keep their values, the answer stays the same.
struct ColumnsRead {
    /// The columns; nil if the answer may depend on more than the stored values of the object.
    private let columns: ColumnMask?

    /// Finds the columns that key paths read.
    ///
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

    /// Finds the columns that the name of a section depends on.
    ///
    /// They are unknown if the key path leads to an object, since the object itself decides how it prints.
    init(nameOf keyPath: String?, of runtimes: [EntityRuntime]) {
        let isStored = runtimes.allSatisfy { runtime in
            keyPath.map { runtime.slot(named: $0)?.attribute != nil && !runtime.answersItself(forKey: $0) }
                ?? true
        }
        self.init(isStored ? keyPath.map { [[$0]] } ?? [] : nil, of: runtimes)
    }

    /// Returns whether a change may lead to another answer.
    func mayDiffer(after change: ChangedObjects.Change) -> Bool {
        guard let columns, case .columns(let changed) = change else { return true }
        return !columns.isDisjoint(with: changed)
    }
}

extension EntityRuntime {
    /// Returns the only column on which the value at a key path depends.
    ///
    /// It is nil if the value also depends on another object, a transformer, code of the app or the store.
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
