import CoreData

@objc protocol Watcher {
    @objc optional func changed()  // error: leave out 'optional'
}

@objc(Watched) class Watched: NSManagedObject {
    @NSManaged var pair: (Int, Int)  // error: its type is a tuple
    let selector = #selector(Watched.mark(_:by:))  // error: pass a closure
    let path = #keyPath(Unheard.of.it)  // error: the type 'Unheard' is not known
}

enum Outer {
    private class Hidden: NSManagedObject {
        @NSManaged var word: String?  // error: make 'Hidden' internal
    }
}

extension NSManagedObject {
    override func willSave() {}  // error: override it in a subclass
}
