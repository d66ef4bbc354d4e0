internal import CoreData
internal import Foundation

extension SelfTestProbe {
    /// Probes of the history, of which edits are read.
    static let historyProbes = [
        SelfTestProbe("a transaction names its author and its context") { store in
            try store.change(author: "OpenCoreData.sync", name: "sync.1") { context in
                _ = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
            }
            let last = try store.history(after: nil).last
            try require(last?.author == "OpenCoreData.sync", "the author is \(last?.author ?? "nil")")
            try require(last?.contextName == "sync.1", "the context is \(last?.contextName ?? "nil")")
        },
        SelfTestProbe("insertions, edits and deletions are there with the IDs of their objects") { store in
            let start = try store.historyEnd()
            let id = try store.add("Team", "a")
            try store.change { try $0.existingObject(with: id).setValue("b", forKey: "name") }
            try store.change { $0.delete(try $0.existingObject(with: id)) }
            let changes = try store.history(after: start).flatMap { $0.changes ?? [] }
            try require(
                changes.map(\.changeType) == [.insert, .update, .delete],
                "they are \(changes.map(\.changeType))")
            try require(changes.allSatisfy { $0.changedObjectID == id }, "they have other IDs")
        },
        SelfTestProbe("each save is a transaction, and their numbers rise") { store in
            for name in ["a", "b", "c"] { try store.add("Team", name) }
            let numbers = try store.history(after: nil).map(\.transactionNumber)
            try require(numbers.count == 3 && numbers == Set(numbers).sorted(), "they are \(numbers)")
        },
        SelfTestProbe("what comes after a token is what was saved since") { store in
            try store.add("Team", "a")
            let token = try store.historyEnd()
            try require(try store.history(after: token).isEmpty, "there is something before it was saved")
            try store.add("Team", "b")
            let count = try store.history(after: token).count
            try require(count == 1, "there are \(count) transactions")
        },
        SelfTestProbe("a token can be archived, and means the same then and in a store that was opened again")
        { store in
            try store.add("Team", "a")
            let bytes = try HistoryPosition.archive(try store.historyEnd())
            try store.add("Team", "b")
            try store.reopen()
            let count = try store.history(after: try HistoryPosition.token(bytes)).count
            try require(count == 1, "there are \(count) transactions")
        },
        SelfTestProbe("a token whose transactions were deleted is an error with the code 134301") { store in
            try store.add("Team", "a")
            let token = try store.historyEnd()
            for name in ["b", "c"] { try store.add("Team", name) }
            let context = store.context()
            try context.performAndWait {
                _ = try context.execute(
                    NSPersistentHistoryChangeRequest.deleteHistory(before: try store.historyEnd()))
            }
            do {
                let count = try store.history(after: token).count
                throw SelfTestProblem(description: "it is none: there are \(count) transactions")
            } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {}
        },
        SelfTestProbe("batch requests are in the history") { store in
            for name in ["a", "b"] { try store.add("Team", name) }
            let start = try store.historyEnd()
            try store.change { context in
                let update = NSBatchUpdateRequest(entityName: "Team")
                update.propertiesToUpdate = ["name": "c"]
                _ = try context.execute(update)
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            }
            let types = try store.history(after: start).flatMap { $0.changes ?? [] }.map(\.changeType)
            try require(types.filter { $0 == .update }.count == 2, "the updates are missing")
            try require(types.filter { $0 == .delete }.count == 2, "the deletions are missing")
        },
        SelfTestProbe("objects that go by a cascade are in the history") { store in
            let team = try store.add("Team", "a")
            let person = try store.add("Person", "b")
            try store.change {
                try $0.existingObject(with: person).setValue(
                    try $0.existingObject(with: team), forKey: "team")
            }
            let start = try store.historyEnd()
            try store.change { $0.delete(try $0.existingObject(with: team)) }
            let gone = try store.history(after: start).flatMap { $0.changes ?? [] }.filter {
                $0.changeType == .delete
            }
            try require(Set(gone.map(\.changedObjectID)) == [team, person], "there are \(gone.count)")
        },
        SelfTestProbe("an object whose members in a many-to-many relationship change is in the history") {
            store in
            let (person, badge) = (try store.add("Person", "a"), try store.add("Badge", "b"))
            let start = try store.historyEnd()
            try store.change { context in
                let badges = NSSet(object: try context.existingObject(with: badge))
                try context.existingObject(with: person).setValue(badges, forKey: "badges")
            }
            let changed = Set(
                try store.history(after: start).flatMap { $0.changes ?? [] }.map(\.changedObjectID))
            try require(!changed.isDisjoint(with: [person, badge]), "neither side is")
        },
        SelfTestProbe("the end of the history is that of the last transaction") { store in
            try store.add("Team", "a")
            let last = try store.history(after: nil).last?.token
            try require(last == (try store.historyEnd()), "it is another one")
        },
    ]
}
