import CoreData
import Testing

/// Counts the notifications that it receives.
private class Listener {
    private(set) var told: [String] = []

    func changed(_ notification: Notification) { told.append(notification.name.rawValue) }
    func bridged(_ notification: NSNotification) { told.append("bridged " + notification.name.rawValue) }
    func plain() { told.append("plain") }
}

private final class LoudListener: Listener {
    override func plain() {
        super.plain()
        super.plain()
    }
}

private final class Account {
    let manager = UndoManager()
    private(set) var balance = 0

    func set(_ value: Int) {
        manager.registerUndo(
            withTarget: self, selector: Selector("set:", Account.set), object: balance)
        balance = value
    }
}

@Suite("Selectors")
struct SelectorTests {
    private let center = NotificationCenter()
    private let first = Notification.Name("first")
    private let second = Notification.Name("second")

    @Test("An observer's method is called for the given name and sender")
    func observing() {
        let listener = Listener()
        let sender = Listener()
        center.addObserver(
            listener, selector: Selector("changed:", Listener.changed), name: first, object: sender)
        center.addObserver(listener, selector: Selector("plain", Listener.plain), name: nil, object: nil)
        center.addObserver(
            listener, selector: Selector("bridged:", Listener.bridged), name: second, object: nil)
        center.post(name: first, object: nil)
        #expect(listener.told == ["plain"])
        center.post(name: first, object: sender)
        #expect(listener.told.sorted() == ["first", "plain", "plain"])
        center.post(name: second, object: nil)
        #expect(listener.told.count == 5)
        #expect(listener.told.contains("bridged second"))
    }

    @Test("A selector keeps its name")
    func names() {
        #expect(NSStringFromSelector(NSSelectorFromString("setName:")) == "setName:")
        #expect(NSStringFromSelector(Selector("plain", Listener.plain)) == "plain")
    }

    @Test("Overridden methods are called")
    func overriding() {
        let listener = LoudListener()
        center.addObserver(listener, selector: Selector("plain", Listener.plain), name: first, object: nil)
        center.post(name: first, object: nil)
        #expect(listener.told == ["plain", "plain"])
    }

    @Test("Removing an observer, for all names or for one, stops its calls; tokens still work")
    func removing() {
        let listener = Listener()
        let other = Listener()
        for name in [first, second] {
            for observer in [listener, other] {
                center.addObserver(
                    observer, selector: Selector("changed:", Listener.changed), name: name, object: nil)
            }
        }
        center.removeObserver(listener, name: first, object: nil)
        center.post(name: first, object: nil)
        center.post(name: second, object: nil)
        #expect(listener.told == ["second"])
        center.removeObserver(listener)
        center.post(name: second, object: nil)
        #expect(listener.told == ["second"])
        #expect(other.told == ["first", "second", "second"])

        nonisolated(unsafe) var count = 0
        let token = center.addObserver(forName: first, object: nil, queue: nil) { _ in count += 1 }
        center.post(name: first, object: nil)
        center.removeObserver(token)
        center.post(name: first, object: nil)
        #expect(count == 1)
    }

    @Test("An observer is not kept alive, and is not called after it is freed")
    func lifetime() {
        weak var gone: Listener?
        do {
            let listener = Listener()
            gone = listener
            center.addObserver(
                listener, selector: Selector("changed:", Listener.changed), name: first, object: nil)
        }
        #expect(gone == nil)
        center.post(name: first, object: nil)
    }

    @Test("An undo manager calls a method by its selector, and redo works")
    func undo() {
        let account = Account()
        account.set(5)
        account.manager.undo()
        #expect(account.balance == 0)
        account.manager.redo()
        #expect(account.balance == 5)
    }

    @Test("Selectors are equal by their names, and one without a method cannot be observed with")
    func names() async {
        #expect(Selector("plain", Listener.plain) == "plain")
        await #expect(processExitsWith: .failure) {
            NotificationCenter().addObserver(Listener(), selector: "plain", name: nil, object: nil)
        }
    }
}
