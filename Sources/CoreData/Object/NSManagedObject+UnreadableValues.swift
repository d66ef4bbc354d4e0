package import CoreDataModelFormat
package import CoreDataStore
public import Foundation
import Synchronization

/// Stored values that cannot be read, such as one whose external file is missing.
///
/// They read as nil, and the log says so. The object is read and saved like any other, and its row keeps the
/// stored value until another is set.
extension NSManagedObject {
    /// Returns why an attribute reads as nil although the store has a value for it; nil if nothing is wrong.
    ///
    /// Fills a fault. In `NSCocoaErrorDomain`, the error is `CocoaError.fileReadNoSuchFile` (260) if a file
    /// is missing and `.fileReadCorruptFile` (259) otherwise; it names the object
    /// (`NSAffectedObjectsErrorKey`), the key (`NSValidationKeyErrorKey`) and the file
    /// (`NSFilePathErrorKey`). Traps if the model has no such property.
    ///
    /// An addition to Apple's interface.
    public final func readingError(forKey key: String) -> NSError? {
        guard let slot = runtime.slot(named: key) else { programmerError(unknownKeyMessage(key)) }
        return unreadableValue(of: slot).map { readingError($0, slot) }
    }

    /// Returns the stored value of a property if it cannot be read; fills a fault.
    package final func unreadableValue(of slot: PropertySlot) -> UnreadableValue? {
        fireIfNeeded()
        return slot.column.flatMap { row?.unreadableValue($0) }
    }

    private final func readingError(_ value: UnreadableValue, _ slot: PropertySlot) -> NSError {
        var userInfo: [String: Any] = [
            NSAffectedObjectsErrorKey: [self], NSValidationKeyErrorKey: slot.name,
        ]
        userInfo[filePathKey] = value.path
        return CoreDataError.error(
            (value.reason == .missingFile
                ? CocoaError.Code.fileReadNoSuchFile : CocoaError.Code.fileReadCorruptFile).rawValue,
            reason: unreadableMessage(value, slot), userInfo)
    }

    private final func unreadableMessage(_ value: UnreadableValue, _ slot: PropertySlot) -> String {
        "The value of \(runtime.name).\(slot.name) of \(objectID.uriRepresentation().absoluteString) "
            + "cannot be read: \(value.message)."
    }

    /// Logs why a column reads as null; does nothing if null is stored.
    @usableFromInline
    final func reportUnreadableValue(_ column: Int) {
        guard let value = row?.unreadableValue(column) else { return }
        UnreadableValueLog.report(unreadableMessage(value, runtime.columns[column]))
    }
}

/// The log of values that cannot be read, which names each once.
private enum UnreadableValueLog {
    private static let reported = Mutex<Set<String>>([])
    /// The number of values that are remembered, so that a store without its files does not fill the memory.
    /// After that many, the log repeats values.
    private static let remembered = 10_000

    static func report(_ message: String) {
        let isNew = reported.withLock { reported in
            if reported.count >= remembered { reported.removeAll() }
            return reported.insert(message).inserted
        }
        if isNew { FrameworkLog.error(message) }
    }
}
