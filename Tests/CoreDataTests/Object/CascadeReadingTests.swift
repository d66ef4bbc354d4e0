import CoreData
import Foundation
import Testing

@Suite("Reads of delete rules")
@MainActor
struct CascadeReadingTests {
    /// Returns a stack of sources with three targets each, and a tag shared by all targets.
    private func stack(_ count: Int) throws -> TestStack {
        let stack = try TestStack(
            """
            Source
              name string
              targets ->> Target.source cascade
            Target
              name string
              source -> Source.targets
              tags ->> Tag.targets
            Tag
              name string
              targets ->> Target.tags
            """)
        let shared = stack.insert("Tag", ["name": "tag"])
        for number in 0..<count {
            let source = stack.insert("Source", ["name": "\(number)"])
            for letter in ["a", "b", "c"] {
                let target = stack.insert("Target", ["name": "\(number)\(letter)", "source": source])
                target.setValue(NSSet(object: shared), forKey: "tags")
            }
        }
        try stack.context.save()
        return try stack.reopened()
    }

    @Test("A cascade takes one statement per level, whatever the number of objects")
    func statements() throws {
        let counts = try [2, 20].map { count in
            let stack = try stack(count)
            let sources = try stack.fetch("Source")
            let reads = try stack.selects {
                for source in sources { stack.context.delete(source) }
                try stack.context.save()
            }
            #expect(try stack.fetch("Source").isEmpty)
            #expect(try stack.fetch("Target").isEmpty)
            let tag = try #require(try stack.fetch("Tag").first)
            #expect((tag.value(forKey: "targets") as? NSSet)?.count == 0)
            return reads.count
        }
        #expect(counts[0] == counts[1])
    }

    @Test("A member moved to another owner is not deleted, even if it was not read before")
    func moved() throws {
        let stack = try stack(4)
        let sources = try stack.fetch("Source")
        let target = try #require(try stack.fetch("Target", "name == '0a'").first)
        target.setValue(sources.first { $0.value(forKey: "name") as? String == "3" }, forKey: "source")
        for source in sources where source.value(forKey: "name") as? String != "3" {
            stack.context.delete(source)
        }
        try stack.context.save()
        let names = try stack.fetch("Target").compactMap { $0.value(forKey: "name") as? String }
        #expect(Set(names) == ["0a", "3a", "3b", "3c"])
        let fresh = try stack.reopened()
        let tag = try #require(try fresh.fetch("Tag").first)
        #expect((tag.value(forKey: "targets") as? NSSet)?.count == 4)
    }

    @Test(
        "Pairs are deleted with their rows, whether or not the rows have consecutive keys",
        arguments: [[1], [0, 1, 2, 5], [2, 4, 11]])
    func pairs(_ gone: [Int]) throws {
        let stack = try stack(4)
        // Sorted by key, which is the end of the URI.
        let targets = try stack.fetch("Target").sorted {
            $0.objectID.uriRepresentation().path.compare(
                $1.objectID.uriRepresentation().path, options: .numeric) == .orderedAscending
        }
        let kept = targets.indices.filter { !gone.contains($0) }
            .compactMap { targets[$0].value(forKey: "name") as? String }
        for index in gone { stack.context.delete(targets[index]) }
        try stack.context.save()
        let fresh = try stack.reopened()
        let tag = try #require(try fresh.fetch("Tag").first)
        let names = (tag.value(forKeyPath: "targets.name") as? NSSet)?.allObjects as? [String]
        #expect(Set(names ?? []) == Set(kept))
        #expect(names?.count == kept.count)
    }

    @Test("Saving pairs does not read the members that stay")
    func unread() throws {
        let stack = try stack(2)
        let tag = try #require(try stack.fetch("Tag").first)
        let leaving = try #require(try stack.fetch("Target", "name == '0a'").first)
        let coming = stack.insert("Target", ["name": "new"])
        tag.mutableSetValue(forKey: "targets").remove(leaving)
        coming.mutableSetValue(forKey: "tags").add(tag)
        try stack.context.save()
        #expect(tag.hasFault(forRelationshipNamed: "targets"))
        let fresh = try stack.reopened()
        for tag in [tag, try #require(try fresh.fetch("Tag").first)] {
            let names = (tag.value(forKeyPath: "targets.name") as? NSSet)?.allObjects as? [String]
            #expect(names?.sorted() == ["0b", "0c", "1a", "1b", "1c", "new"])
        }
    }
}
