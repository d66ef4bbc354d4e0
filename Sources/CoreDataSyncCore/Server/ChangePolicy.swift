/// What a caller may do to the objects of single entities. What it does not name is allowed.
package struct ChangePolicy: Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable, CaseIterable {
        /// To make an object, or bring one back, and to write a property that was never written.
        case insert
        /// To write a property that was written before.
        case update
        case delete
    }

    /// What is allowed, by the stable name of the entity.
    package var allowed: [String: Set<Operation>]

    package init(_ allowed: [String: Set<Operation>] = [:]) {
        self.allowed = allowed
    }

    /// Returns why a change is not allowed; nil if it is.
    ///
    /// - Parameter row: The row that it changes; nil if there is none.
    func problem(of change: Change, to row: ZoneRow?) -> String? {
        if allowed.isEmpty { return nil }
        let entity: String
        let operation: Operation
        switch (change.item, change.edit) {
        case (.pair(let name, _, _), _):
            // Named by the entity and its relationship, with a period between.
            entity = String(name.prefix { $0 != "." })
            operation = row == nil ? .insert : .update
        case (.object, .existence(let length, _)):
            entity = row?.state.entity ?? change.entity
            operation = length % 2 == 1 ? .insert : .delete
        case (.object, .set(let register, _)), (.object, .count(let register, _)):
            entity = row?.state.entity ?? change.entity
            operation = row?.state.registers[register] == nil ? .insert : .update
        case (.object, .merged):
            entity = row?.state.entity ?? change.entity
            operation = .update
        }
        guard let allowed = allowed[entity], !allowed.contains(operation) else { return nil }
        return "the policy does not let this user \(operation.rawValue) \(entity)"
    }
}
