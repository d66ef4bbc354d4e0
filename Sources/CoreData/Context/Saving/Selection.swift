import Foundation

/// Some objects of a list, in its order.
///
/// Mostly all are taken: the selection is then the list itself, without another reference to each object.
struct Selection {
    private let list: [NSManagedObject]
    /// How many objects were taken from the start, without a gap.
    private var count = 0
    /// The objects that were taken, from the first gap on.
    private var others: [NSManagedObject]?

    init(from list: [NSManagedObject]) {
        self.list = list
    }

    /// Takes an object of the list.
    ///
    /// - Parameter index: Its index in the list, greater than those of the objects that were taken before.
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
