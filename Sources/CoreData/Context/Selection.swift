import Foundation

/// Objects of a list, in its order. As a rule they are all of it: the selection is then the list itself, without another
/// reference to each.
struct Selection {
    private let list: [NSManagedObject]
    /// How many were taken from the start, one after the other.
    private var count = 0
    /// Those that were taken, from the moment one was left out.
    private var others: [NSManagedObject]?

    init(from list: [NSManagedObject]) {
        self.list = list
    }

    /// - Parameter index: Of the object in the list: behind those that were taken before.
    mutating func take(_ index: Int) {
        if others == nil {
            if index == count {
                count += 1
                return
            }
            others = objects
        }
        others?.append(list[index])
    }

    var objects: [NSManagedObject] { others ?? (count == list.count ? list : Array(list.prefix(count))) }
}
