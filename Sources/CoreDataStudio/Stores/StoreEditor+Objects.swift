import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import Foundation

/// Objects as they will be once they are saved.
extension StoreEditor {
    /// Returns the name that an object has by now: that of a new one changes when it is saved.
    func currentName(of name: String) -> String { withState { $0.names.current(name) } }

    /// Returns an object with its pending values; nil if it has none.
    func record(_ name: String) -> JSONValue? {
        withChanged(name) { $0.record($1) }
    }

    /// Returns members of a relationship of an object that has pending values; nil if it has none.
    func members(of key: String, of name: String, from: Int, count: Int) throws -> JSONValue? {
        try MemberList.requireRange(from: from, count: count)
        return withChanged(name) { $0.members(of: key, of: $1, from: from, count: count) } ?? nil
    }

    /// Returns the bytes of an attribute of an object that has pending values; nil if it has none.
    func data(of key: String, of name: String, range: Range<Int>?) throws -> StudioResponse? {
        let found = withChanged(name) { changes, object in changes.data(of: key, of: object) }
        guard let found else { return nil }
        guard let bytes = found else { throw ObjectRecord.noData(key, name) }
        return ObjectRecord.response(bytes, key, range)
    }

    private func withChanged<Value>(
        _ name: String, _ body: (PendingChanges, NSManagedObject) -> Value
    ) -> Value? {
        withState { state in
            inContext(&state) { state in
                let run = EditRun(state.context, state.source, state.names)
                guard let object = try? run.object(name), object.hasChanges else { return nil }
                return body(PendingChanges(state.context, state.source, state.names), object)
            }
        }
    }
}
