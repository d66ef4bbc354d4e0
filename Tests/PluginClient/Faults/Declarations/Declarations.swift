import CoreData

class Declarations: NSManagedObject {
    @NSManaged var pair: (Int, Int)  // error: its type is a tuple
    @NSManaged var pairs: [String: (Int, Int)]  // error: its type is a tuple
    @NSManaged var action: () -> Void  // error: its type is a function
    @NSManaged var kind: Int.Type  // error: its type is a metatype
    @NSManaged var hidden: Hidden  // error: its type is private: make 'Hidden' internal
    @NSManaged var unheard: Unheard  // error: 'Unheard' is declared neither in this module
    @NSManaged func refreshAll()  // error: its name follows none of the accessor patterns
    @NSManaged func addToPairs(_ value: Declarations) async  // error: it is async
}

private struct Hidden {}

private class Secret: NSManagedObject {
    @NSManaged var name: String  // error: its class is private: make 'Secret' internal
}

class Box<Value>: NSManagedObject {}

extension Box where Value: Equatable {
    @NSManaged var name: String  // error: it stands in an extension with a where clause
}
