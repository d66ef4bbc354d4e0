import CoreData
import ModernCoreData
import Testing

@Suite("Typed keys")
@MainActor
struct KeyCodableTests {
    @Test("Values are read and set by typed keys")
    func values() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        note.setValue("b", forKey: .title)
        #expect(note.title == "b")
        #expect(note.value(forKey: .title) as? String == "b")
        try stack.context.save()
        note.setPrimitiveValue("c", forKey: .title)
        #expect(note.primitiveValue(forKey: .title) as? String == "c")
    }

    @Test("A custom accessor announces its change with typed keys")
    func accessors() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        try stack.context.save()
        note.willAccessValue(forKey: .title)
        let title = note.primitiveValue(forKey: .title) as? String
        note.didAccessValue(forKey: .title)
        #expect(title == "a")
        #expect(!note.hasChanges)
        note.willChangeValue(forKey: .title)
        note.setPrimitiveValue("b", forKey: .title)
        note.didChangeValue(forKey: .title)
        #expect(note.hasChanges)
        try stack.context.save()
        #expect(stack.stored { Note.fetch(in: $0).map(\.title) } == ["b"])
    }

    @Test("Changed and committed values have typed keys, nil values included")
    func changes() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        try stack.context.save()
        #expect(note.changedValue(forKey: .title) == nil)
        note.title = "b"
        #expect(note.changedValue(forKey: .title) as? String == "b")
        #expect(note.committedValue(forKey: .title) as? String == "a")
        note.title = nil
        #expect(note.changedValue(forKey: .title) is NSNull)
        #expect(note.committedValue(forKey: .created) == nil)
        note.refresh(false)
        #expect(note.isFault)
        #expect(note.title == "a")
    }

    @Test("Requests can be built with typed keys")
    func requests() throws {
        let stack = try NotesStack()
        let notes = stack.insert("b", "a", "c")
        let notebook: Notebook = stack.context.insertObject()
        notebook.name = "x"
        notes[0].notebook = notebook
        try stack.context.save()
        let request = Note.sortedFetchRequest(with: Note.predicate(.notebook, is: nil))
        request.sortDescriptors = [Note.sortDescriptor(.title, ascending: false)]
        #expect(try stack.context.fetch(request).map(\.title) == ["c", "a"])
        #expect(
            Note.fetch(in: stack.context) { $0.predicate = Note.predicate(.notebook, is: notebook) } == [
                notes[0]
            ])
        #expect(String(describing: Note.predicate(.title, is: "a")) == "title == \"a\"")
    }
}
