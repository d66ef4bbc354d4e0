import Foundation

/// What an event does to results. Objects are tested, and held against their neighbours, where what changed of them has a
/// say in it; whatever else changed of a result, it is one where it was.
struct EventEffect {
    private typealias List = ResultList<NSObject>

    /// What the changes of a group are to the results.
    private struct Concern {
        /// Whether any of its objects may be a result now, or none any more.
        var isTested = false
        var isDeletion = false
        /// Whether its results may have other places.
        var mayMove = false
    }

    private let event: ContextEvent
    private let list: ResultList<NSObject>
    private let test: ResultTest
    /// By group.
    private let concerns: [Concern]
    private let members: [ResultList<NSObject>.Member]

    /// - Parameter isKnown: Whether what did not change is as it was when the results were tested last.
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

    /// The results after the event and the way to them; nil if it does not concern them.
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
        // Where one moves, others may have to give way.
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

    /// What became of a result that need not be tested.
    private func untested(_ member: ResultList<NSObject>.Member) -> ResultTest.Change? {
        let (element, concern) = (list[member.position], concerns[member.group])
        if concern.isTested { return nil }
        if concern.isDeletion { return ResultTest.Change(element: element, section: nil) }
        let section =
            concern.mayMove ? test.sectionName(of: element) : list.sections[member.position.section].name
        return ResultTest.Change(element: element, section: section)
    }
}
