import Foundation

/// The effect of an event on results.
///
/// An object is tested and compared with its neighbours only if a value changed that decides on membership or
/// order. Any other change leaves a result where it is.
struct EventEffect {
    private typealias List = ResultList<NSObject>

    /// The meaning that the changes of one group of objects have for the results.
    private struct Concern {
        /// Whether objects of the group may have become results or ceased to be results.
        var isTested = false
        var isDeletion = false
        /// Whether results of the group may have moved.
        var mayMove = false
    }

    private let event: ContextEvent
    private let list: ResultList<NSObject>
    private let test: ResultTest
    /// The concerns, by group.
    private let concerns: [Concern]
    private let members: [ResultList<NSObject>.Member]

    /// Decides which groups of the event's objects are to be tested.
    ///
    /// - Parameter isKnown: Whether objects that the event did not change are as they were when the results
    ///   were last tested.
    init(_ event: ContextEvent, on list: ResultList<NSObject>, _ test: ResultTest, isKnown: Bool) {
        self.event = event
        self.list = list
        self.test = test
        concerns = event.changed.map { group in
            guard test.entities.contains(group.entity) else { return Concern() }
            if group.change == .deletion { return Concern(isDeletion: true) }
            let change = isKnown ? group.change : .everything
            return Concern(isTested: test.mayDecide(change), mayMove: test.mayMove(change))
        }
        members = event.members(of: list, in: test.entities)
    }

    /// Returns the results after the event and the changes that lead to them, or nil if the event does not
    /// concern them.
    func applied() throws -> (list: ResultList<NSObject>, changes: ResultChanges<NSObject>)? {
        if members.isEmpty, !concerns.contains(where: \.isTested) { return nil }
        let mayMove = members.contains { concerns[$0.group].mayMove }
        guard
            mayMove || concerns.contains(where: \.isTested)
                || members.contains(where: { concerns[$0.group].isDeletion })
        else { return (list, updates) }
        let positions = Dictionary(
            uniqueKeysWithValues: members.map { (ObjectIdentifier(list[$0.position]), $0.position) })
        var changes = members.compactMap(untested)
        for (number, group) in event.changed.enumerated() where concerns[number].isTested {
            for object in group.objects {
                if let change = try test.change(of: object) {
                    changes.append(change)
                } else if positions[ObjectIdentifier(object)] != nil {
                    changes.append(test.removal(of: object))
                }
            }
        }
        // If one result moves, others may have to move as well.
        for index in changes.indices { changes[index].mayMove = mayMove }
        return try ResultListUpdate.applying(changes, to: list, at: positions, order: test.order)
    }

    private var updates: ResultChanges<NSObject> {
        var changes = ResultChanges<NSObject>()
        changes.updated = members.map {
            .init(element: list[$0.position], from: $0.position, to: $0.position)
        }
        return changes
    }

    /// Returns the change of a result that need not be tested.
    private func untested(_ member: ResultList<NSObject>.Member) -> ResultTest.Change? {
        let (element, concern) = (list[member.position], concerns[member.group])
        if concern.isTested { return nil }
        if concern.isDeletion { return ResultTest.Change(element: element, section: nil) }
        let section =
            concern.mayMove ? test.sectionName(of: element) : list.sections[member.position.section].name
        return ResultTest.Change(element: element, section: section)
    }
}
